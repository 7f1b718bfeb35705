import { describe, expect, it } from "vitest";
import { parseHostPort, parseListen } from "./rule/address.js";
import { checkDocument } from "./index.js";
import { asNode } from "./testing/badExample.js";
import { goodParts, type GoodParts } from "./testing/goodParts.js";

/** What a change of the good document leads to; nothing at all unless the example says so. */
// prettier-ignore
const GOOD: [string, (parts: GoodParts) => void, string[]?][] = [
  ["a project with nothing in it yet", ({ document }) => { for (const key of ["messages", "enums", "services", "flows", "bundles", "binaries"] as const) delete document[key]; }],
  ["a message without fields", ({ document }) => void document.messages!.push({ name: "Empty" })],
  ["a field named by a keyword of protobuf", ({ ad }) => void (ad.fields![0]!.name = "message")],
  ["every scalar, repeated, optional and fixed", ({ ad }) => { ad.fields = ["bool", "int32", "int64", "uint32", "uint64", "float", "double", "string", "bytes", "buffer"].flatMap((type, at) => [{ name: `${type}_a`, type, tag: 10 * at + 2, repeated: true }, { name: `${type}_b`, type, tag: 10 * at + 3, optional: true }, { name: `${type}_c`, type, tag: 10 * at + 4, length: at < 3 ? 65_536 : 1 }]); ad.fields.push({ name: "tier", type: "Tier", tag: 536_870_911 }); }],
  ["whole numbers in other encodings", ({ ad }) => void ad.fields!.push({ name: "a", type: "int32", tag: 7, encoding: "zigzag" }, { name: "b", type: "uint64", tag: 8, encoding: "fixed", repeated: true })],
  ["lists that are not packed", ({ ad }) => void ad.fields!.push({ name: "a", type: "int32", tag: 7, encoding: "zigzag", repeated: true, packed: false }, { name: "b", type: "Tier", tag: 8, length: 2, packed: false })],
  ["a map, and a oneof", ({ ad }) => void ad.fields!.push({ name: "ads", type: "Ad", tag: 7, repeated: true, key: "sfixed32" }, { name: "a", type: "Ad", tag: 8, optional: true, oneof: "what" }, { name: "b", type: "string", tag: 9, optional: true, oneof: "what" })],
  ["what is reserved, and names for JSON and protobuf", ({ ad, tier }) => { ad.reserved = { numbers: [3, [5, 536_870_911]], names: ["gone"] }; ad.fields![0]!.jsonName = "class"; tier.reserved = { numbers: [[-5, -1]], names: ["LOST"] }; tier.values![0]!.protoName = "FREE"; }],
  ["a message in itself through optional and repeated", ({ ad }) => void ad.fields!.push({ name: "next", type: "Ad", tag: 7, optional: true }, { name: "all", type: "Ad", tag: 8, repeated: true })],
  ["the built-in failure as a field", ({ ad }) => void ad.fields!.push({ name: "why", type: "Failure", tag: 7 })],
  ["negative enum numbers behind the first", ({ tier }) => void tier.values!.push({ name: "LOST", number: -(2 ** 31) })],
  ["a cycle of services that block nothing", ({ countError, logAd, getAd, document, bundle }) => { void logAd; document.services!.push({ name: "Ping", request: "Failure", kind: "async-remote", calls: ["CountError"] }); countError.calls = ["Ping"]; bundle.services!.push("Ping"); void getAd; }],
  ["a service that calls itself without blocking", ({ getAd }) => void getAd.calls!.push("GetAd")],
  ["a single-threaded service with calls, on no cycle", ({ logAd, document, bundle }) => { logAd.calls = ["Store"]; document.services!.push({ name: "Store", request: "Ad" }); bundle.services!.push("Store"); }],
  ["partitions by an enum", ({ logAd }) => void (logAd.partitionBy = "tier")],
  ["links that are given up soon", ({ binary }) => void (binary.liveness = { pingMs: 10, lostMs: 20, hostLostMs: 10 })],
  ["no watchdog", ({ binary }) => void (binary.watchdogMs = 0)],
  ["the longest deadline", ({ getAd }) => void (getAd.deadlineMs = 2 ** 31 - 1)],
  ["a catch that gives the value on", ({ countError }) => void (countError.response = "Ad")],
  ["a stage behind a catch that mends", ({ countError, flow }) => { countError.response = "Ad"; flow.stages!.push({ id: "again", service: "LogAd", role: "side-effect" }); }],
  ["a map that ends a flow, and a catch behind it", ({ log }) => void (log.role = "map")],
  ["a fan-out and a merge", ({ flow }) => void flow.stages!.push({ id: "left", service: "LogAd", role: "side-effect", after: ["pick"] }, { id: "both", service: "LogAd", role: "side-effect", after: ["log", "left"] })],
  ["branches by value that leave none out", ({ log, flow }) => { log.when = "FREE"; flow.stages!.push({ id: "paid", service: "LogAd", role: "side-effect", after: ["pick"], when: ["PAID"] }); }],
  ["branches with one for the rest", ({ log, flow }) => { log.when = "FREE"; flow.stages!.push({ id: "rest", service: "LogAd", role: "side-effect", after: ["pick"] }); }],
  ["a paused source, and a fraction", ({ flow, document, bundle, pick }) => { flow.source = { kind: "rate", perSecond: 0 }; document.flows!.push({ ...flow, name: "Slow", source: { kind: "rate", perSecond: 0.25 }, stages: [pick] }); bundle.flows!.push("Slow"); }],
  ["an HTTP source", ({ flow, binary }) => { flow.source = { kind: "http", path: "/v1/a-b_c~d.e" }; binary.http = "[::1]:8080"; }],
  ["services exposed, one of them in two bundles", ({ binary, document }) => { binary.http = "127.0.0.1:0"; binary.expose = ["GetAd", "LogAd"]; document.bundles!.push({ name: "More", services: ["LogAd"] }); binary.bundles!.push("More"); }],
  ["services exposed under a prefix, to pages as well", ({ binary }) => { binary.http = { address: "localhost:8080", prefix: "/api/v1", origins: ["https://shop.example", "http://localhost:3000", "http://[::1]:80"] }; binary.expose = ["GetAd"]; }],
  ["services exposed without a prefix", ({ binary }) => { binary.http = { address: "127.0.0.1:0", prefix: "" }; binary.expose = ["GetAd"]; }],
  ["services exposed, of a bundle named as a service, beside one named as an enum of which none is", ({ document, bundle, binary }) => { bundle.name = "GetAd"; document.bundles!.push({ name: "Tier", services: ["LogAd"] }); binary.bundles = ["GetAd", "Tier"]; binary.http = "127.0.0.1:0"; binary.expose = ["ProduceAd"]; }],
  ["http that everybody may ask in the clear, with a reason", ({ binary }) => void (binary.http = { address: "0.0.0.0:8080", auth: "none", tls: "off", accepted: "behind an ingress that asks who they are" })],
  ["a file source", ({ flow }) => void (flow.source = { kind: "file", path: "events.jsonl", loop: true })],
  ["failures that handlers push", ({ flow, oops }) => Object.assign(flow, { event: "Failure", source: { kind: "service" }, stages: [{ ...oops, role: "side-effect" }] })],
  ["a source that handlers push", ({ flow }) => void (flow.source = { kind: "service" })],
  ["a cached join in front of a blocking stage", ({ logAd, log }) => { logAd.kind = "sync-remote"; log.join = { threads: "cached" }; }],
  ["an own pool in front of a blocking stage", ({ logAd, log }) => { logAd.kind = "sync-remote"; log.join = { threads: 2, queue: 1, overflow: "shed-oldest" }; }],
  ["a pool of everything at its limits", ({ models }) => Object.assign(models, { threads: Array.from({ length: 1024 }, () => ({ cpus: [1023] })), queue: 1_048_576, priority: -20, idle: "spin", overflow: "reject" })],
  ["the built-in pool, sized", ({ binary }) => { binary.pools!.push({ name: "default", threads: [{}, {}] }); binary.placement!["LogAd"] = { pool: "default", thread: 1 }; }],
  ["the built-in pool, unsized, with a thread of it", ({ binary }) => void (binary.placement!["LogAd"] = { pool: "default", thread: 5 })],
  ["a join on the built-in pool", ({ pick }) => void (pick.join = { pool: "default" })],
  ["one implementation picked", ({ binary }) => void (binary.placement!["ProduceAd"] = { pool: "models", implementation: "ModelB" })],
  ["one weight above 0, one left out", ({ binary }) => void (binary.placement!["ProduceAd"] = { pool: "models", implementation: { ModelB: 2 ** 31 - 1 } })],
  ["every form of address", ({ binary }) => void (binary.listen = ["tcp://127.0.0.1:7400", "udp+ordered+reliable://[fe80::1]:7400", "udp://127.0.0.1:7401", "tls://example.org:443", "unix:///run/ads.sock", "shm://ads", "tcp://0.0.0.0:0", "tcp://[::ffff:127.0.0.1]:0"])],
  ["port 0 twice", ({ binary, document }) => { binary.http = "127.0.0.1:0"; document.binaries!.push({ name: "other" }); }],
  ["a service in two bundles of one binary", ({ document, binary }) => { document.bundles!.push({ name: "More", services: ["LogAd"] }); binary.bundles!.push("More"); }],
  ["a callee that only another binary runs", ({ bundle, binary, document }) => { bundle.services = ["GetAd", "LogAd", "CountError"]; delete binary.placement!["ProduceAd"]; document.bundles!.push({ name: "Models", services: ["ProduceAd"] }); document.binaries!.push({ name: "models", bundles: ["Models"] }); }],
  ["a stage that only another binary runs", ({ bundle, binary, document }) => { bundle.services = ["GetAd", "ProduceAd", "CountError"]; delete binary.placement!["LogAd"]; document.bundles!.push({ name: "Logs", services: ["LogAd"] }); document.binaries!.push({ name: "logs", bundles: ["Logs"] }); }],
  ["a stage that only another binary runs, on a pool of that one", ({ bundle, document, flow }) => { bundle.services = ["GetAd", "ProduceAd", "CountError"]; document.bundles!.push({ name: "Logs", services: ["LogAd"] }); document.binaries!.push({ name: "logs", bundles: ["Logs"], pools: [{ name: "slow", threads: [{}] }] }); flow.stages![1]!.join = { pool: "slow" }; }],
  ["a stage that only another binary runs, on threads of its own", ({ bundle, document, flow }) => { bundle.services = ["GetAd", "ProduceAd", "CountError"]; document.bundles!.push({ name: "Logs", services: ["LogAd"] }); document.binaries!.push({ name: "logs", bundles: ["Logs"] }); flow.stages![1]!.join = { threads: 2 }; }],
  ["a catch and a filter that only another binary runs", (parts) => { asNode("filter", { condition: "true" })(parts); parts.bundle.services = ["GetAd", "ProduceAd"]; parts.document.bundles!.push({ name: "Logs", services: ["LogAd", "CountError"] }); parts.document.binaries!.push({ name: "logs", bundles: ["Logs"] }); }],
  ["a blocking stage behind one thread that only another binary runs", ({ bundle, document, logAd }) => { logAd.kind = "sync-remote"; bundle.services = ["GetAd", "ProduceAd", "CountError"]; document.bundles!.push({ name: "Logs", services: ["LogAd"] }); document.binaries!.push({ name: "logs", bundles: ["Logs"] }); }],
  ["two services drawn, nothing placed yet: warnings only", ({ document, bundle }) => { document.services!.push({ name: "A", request: "Ad", calls: ["B"] }, { name: "B", request: "Ad" }); void bundle; }, ["PS614", "PS614", "PS620"]],
];

describe("what the format allows has no problem", () => {
  it.each(GOOD)("%s", (_, change, warnings = []) => {
    const parts = goodParts();
    change(parts);
    const { problems } = checkDocument(JSON.stringify(parts.document));
    expect(problems.map(({ code }) => code).sort()).toEqual(warnings);
    expect(problems.every(({ severity }) => severity === "warning")).toBe(true);
  });

  it("a chain of 32 messages, each in the next", () => {
    const parts = goodParts();
    for (let at = 0; at < 32; at++)
      parts.document.messages!.push({
        name: `Deep${at}`,
        fields: [
          { name: "inner", type: at === 0 ? "int32" : `Deep${at - 1}`, tag: 1, length: at < 18 ? 2 : 1 },
        ],
      });
    expect(checkDocument(JSON.stringify(parts.document)).problems).toEqual([]);
  });
});

const key = (text: string) => {
  const result = parseListen(text);
  return result.ok ? result.key : "refused";
};

describe("addresses", () => {
  it.each([
    "127.0.0.1", ":80", "a:", "a:b", "a:-1", "a:080", "a:1:2", "[::1]", "[::1:80", "[:::1]:80", "[1::2::3]:80", "[12345::]:80", "[1:2:3:4:5:6:7]:80",
    "256.0.0.1:80", "1.2.3:80", "-a:80", "a b:80", "a_b:80", "[fe80::1%eth0]:80", "[1:2:3:4:5:6:7:8::]:80", "user@host:80", "host:80/path", "",
  ])("refuses %s", (text) => expect(parseHostPort(text).ok).toBe(false)); // prettier-ignore

  it.each([
    "tcp:/a:1",
    "tcp://",
    "udp+://a:1",
    "udp+ordered+ordered://a:1",
    "udp+fast://a:1",
    "unix:///",
    "unix:///a/",
    "unix:///a\nb",
    `unix:///${"a".repeat(107)}`,
    "shm://",
    "shm://a/b",
    "shm://../a",
    "http://a:1",
    " tcp://a:1",
    "tcp://a:1 ",
  ])("refuses to listen on %j", (text) => expect(parseListen(text).ok).toBe(false));

  it("tells equal ones apart from different ones", () => {
    expect(key("tcp://LOCALHOST:80")).toBe(key("tls://127.0.0.1:80"));
    expect(key("udp://127.0.0.1:80")).not.toBe(key("tcp://127.0.0.1:80"));
    expect(key("tcp://127.0.0.1:0")).toBeUndefined();
  });
});
