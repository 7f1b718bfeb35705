import { describe, expect, it } from "vitest";
import { loadNodes } from "../../nodes/index.js";
import { validateTopology } from "../validate/index.js";
import { goodParts } from "../validate/testing/goodParts.js";
import * as room from "./index.js";
import { parseTopology, printTopology, type Binary, type Topology } from "../topology/index.js";

function good(spoil: (parts: ReturnType<typeof goodParts>) => void = () => undefined): Topology {
  const parts = goodParts();
  spoil(parts);
  const { topology, problems } = parseTopology(JSON.stringify(parts.document));
  if (topology === undefined) throw new Error(JSON.stringify(problems));
  return topology;
}

const withMore = (): Topology =>
  good(({ log, logAd, pick, document }) => {
    log.after = ["pick"];
    log.when = ["FREE", "PAID"];
    logAd.partitionBy = "text";
    pick.join = { pool: "front" };
    document.binaries![0]!.placement!["GetAd"] = { pool: "front", thread: 0 };
  });

const RENAMES: [string, string, (topology: Topology, to: string) => Topology][] = [
  ["project", "ads", (t, to) => room.renameProject(t, to)],
  ["message", "Ad", (t, to) => room.renameMessage(t, "Ad", to)],
  ["message used by fields", "AdRequest", (t, to) => room.renameMessage(t, "AdRequest", to)],
  ["enum", "Tier", (t, to) => room.renameEnum(t, "Tier", to)],
  ["enum value", "PAID", (t, to) => room.renameEnumValue(t, "Tier", "PAID", to)],
  ["field", "text", (t, to) => room.renameField(t, "Ad", "text", to)],
  ["service", "GetAd", (t, to) => room.renameService(t, "GetAd", to)],
  ["called service", "ProduceAd", (t, to) => room.renameService(t, "ProduceAd", to)],
  ["implementation", "ModelA", (t, to) => room.renameImplementation(t, "ProduceAd", "ModelA", to)],
  ["flow", "Impressions", (t, to) => room.renameFlow(t, "Impressions", to)],
  ["stage", "pick", (t, to) => room.renameStage(t, "Impressions", "pick", to)],
  ["bundle", "AdBundle", (t, to) => room.renameBundle(t, "AdBundle", to)],
  ["binary", "ads-server", (t, to) => room.renameBinary(t, "ads-server", to)],
  ["pool", "front", (t, to) => room.renamePool(t, "ads-server", "front", to)],
];

describe("renaming", () => {
  it.each(RENAMES)("a %s changes every %s and nothing else", (_, from, rename) => {
    const before = withMore();
    const text = printTopology(before);
    const to = /^[A-Z0-9_]+$/.test(from) ? "OTHER" : /^[A-Z]/.test(from) ? "Other" : "other";
    const expected = JSON.parse(
      text.replaceAll(`"${from}"`, `"${to}"`).replaceAll(`"text"`, from === "text" ? `"${to}"` : `"text"`),
    ) as object;
    expect(JSON.parse(printTopology(rename(before, to)))).toEqual(expected);
    expect(validateTopology(rename(before, to)).filter(({ severity }) => severity === "error")).toEqual([]);
    expect(printTopology(before)).toBe(text);
    expect(printTopology(rename(rename(before, to), to))).toBe(printTopology(rename(before, to)));
  });

  it("a pool leaves a join alone that another binary still has under the old name", () => {
    const shared = good(
      ({ document }) =>
        void document.binaries!.push({
          name: "twin",
          bundles: ["AdBundle"],
          pools: [{ name: "front", threads: [{}, {}] }],
        }),
    );
    const renamed = room.renamePool(shared, "ads-server", "front", "other");
    expect(renamed.flows[0]?.stages[0]?.join).toEqual({ pool: "front" });
  });

  it("a pool changes the joins of the stages that its binary runs, also of another one's flow", () => {
    const apart = good(({ bundle, document, flow }) => {
      bundle.services = ["GetAd", "ProduceAd", "CountError"];
      document.bundles!.push({ name: "Logs", services: ["LogAd"] });
      document.binaries!.push({ name: "logs", bundles: ["Logs"], pools: [{ name: "front", threads: [{}] }] });
      flow.stages![1]!.join = { pool: "front" };
    });
    const joins = ({ flows }: Topology) => flows[0]?.stages.slice(0, 2).map(({ join }) => join);
    expect(joins(room.renamePool(apart, "ads-server", "front", "other"))).toEqual([
      { pool: "other" },
      { pool: "front" },
    ]);
    const renamed = room.renamePool(apart, "logs", "front", "other");
    expect(joins(renamed)).toEqual([{ pool: "front" }, { pool: "other" }]);
    expect(errorsOf(renamed)).toEqual([]);
    expect(joins(room.removePool(apart, "logs", "front"))).toEqual([{ pool: "front" }, undefined]);
  });
});

describe("renaming what events and nodes name", () => {
  const { palette } = loadNodes();
  /** LogAd is a node between Ad and Ad; the events are made by settings. */
  const withNode = (type: string, settings: Record<string, unknown>): Topology =>
    good(({ flow, logAd, log, front }) => {
      front.threads = [{}, {}];
      flow.source = {
        kind: "rate",
        perSecond: 1,
        event: { cookie: { choice: ["PAID"] }, tier: { choice: ["FREE", "PAID"] } },
      };
      logAd.kind = type === "sql-query" ? "sync-remote" : "simple";
      if (type === "http-request") logAd.kind = "async-remote";
      logAd.response = "Ad";
      logAd.node = { type, settings };
      log.role = "map";
    });
  const settingsOf = (topology: Topology): unknown =>
    topology.services.find(({ name }) => name === "LogAd")?.node?.settings;
  const eventOf = ({ flows }: Topology): unknown =>
    flows[0]?.source.kind === "rate" ? flows[0].source.event : undefined;
  const errors = (topology: Topology) =>
    validateTopology(topology, palette).filter(({ severity }) => severity === "error");

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      "map",
      { fields: { text: 'request.text + "request.text" + other.request.text + request.texts' } },
      { fields: { body: 'request.body + "request.text" + other.request.text + request.texts' } },
    ],
    [
      "random",
      { fields: { text: { expression: "request.text" }, tier: { choice: ["PAID"] } } },
      { fields: { body: { expression: "request.body" }, tier: { choice: ["PAID"] } } },
    ],
    ["sql-query", { sql: "SELECT ':text' WHERE a = :text" }, { sql: "SELECT ':text' WHERE a = :body" }],
    [
      "http-request",
      { url: "http://h/text/{text}?{tier}", answer: "text", text: "text" },
      { url: "http://h/text/{body}?{tier}", answer: "text", text: "body" },
    ],
  ])("a field is followed by the settings of the node %s", (type, settings, renamed) => {
    const before = withNode(type, settings);
    expect(errors(before)).toEqual([]);
    const after = room.renameField(before, "Ad", "text", "body", palette);
    expect(settingsOf(after)).toEqual(renamed);
    expect(errors(after)).toEqual([]);
    const other = room.renameField(before, "AdRequest", "cookie", "text", palette);
    expect(other.services).toEqual(before.services);
  });

  it("a text keeps what stands in two braces", () => {
    const before = withNode("log", { text: "{text} {{text}} { text }" });
    const after = room.renameField(before, "Ad", "text", "body", palette);
    expect(settingsOf(after)).toEqual({ text: "{body} {{text}} {body}" });
  });

  it("a field is followed by the events that a source makes", () => {
    const after = room.renameField(withNode("filter", {}), "AdRequest", "cookie", "user");
    expect(eventOf(after)).toEqual({ user: { choice: ["PAID"] }, tier: { choice: ["FREE", "PAID"] } });
  });

  it("a value is followed by events, settings and what they say in C++", () => {
    const cases = (value: string) => ({
      cases: [{ value, when: `request.tier == Tier::${value} && request.text != "PAID"` }],
      otherwise: "FREE",
    });
    const before = withNode("branch", cases("PAID"));
    expect(errors(before)).toEqual([]);
    const after = room.renameEnumValue(before, "Tier", "PAID", "BOUGHT", palette);
    expect(settingsOf(after)).toEqual(cases("BOUGHT"));
    expect(eventOf(after)).toEqual({ cookie: { choice: ["PAID"] }, tier: { choice: ["FREE", "BOUGHT"] } });
    expect(errors(after)).toEqual([]);
    expect(settingsOf(room.renameEnumValue(before, "Other", "PAID", "BOUGHT", palette))).toEqual(
      cases("PAID"),
    );
  });

  it("a type is followed by what settings and events say in C++, another's of that name is not", () => {
    const code = (project: string, type: string, message: string) => ({
      fields: {
        text: `(request.tier == ${type}::PAID ? "Tier" : std::string(other::Tier::text(request.Tier)))`,
        tier: `[&] { return ::${project}::${type}(${message}{}.tier + sizeof ::${project}::${message}); }()`,
      },
    });
    const named = (topology: Topology) => topology.name;
    const before = withNode("map", code("ads", "Tier", "Ad"));
    expect(named(before)).toBe("ads");
    expect(settingsOf(room.renameEnum(before, "Tier", "Level", palette))).toEqual(code("ads", "Level", "Ad"));
    expect(settingsOf(room.renameMessage(before, "Ad", "Offer", palette))).toEqual(
      code("ads", "Tier", "Offer"),
    );
    expect(settingsOf(room.renameProject(before, "shop", palette))).toEqual(code("shop", "Tier", "Ad"));
    const made = withNode("random", { fields: { tier: { expression: "ads::Tier::FREE" } } });
    expect(settingsOf(room.renameEnum(made, "Tier", "Level", palette))).toEqual({
      fields: { tier: { expression: "ads::Level::FREE" } },
    });
  });
});

const errorsOf = (topology: Topology) =>
  validateTopology(topology)
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => code);

describe("what rules watch", () => {
  const watched = (topology: Topology) => topology.binaries[0]?.rules?.map(({ of }) => of);
  const side = (preset: string) => ({ perSecond: 1, preset });
  const ruled = good(({ binary }) => {
    binary.rules = ["Impressions", "GetAd"].map((of) => ({ of, below: side("a"), above: side("b") }));
  });

  it("is followed to another name", () => {
    expect(watched(room.renameFlow(ruled, "Impressions", "Views"))).toEqual(["Views", "GetAd"]);
    expect(watched(room.renameService(ruled, "GetAd", "PickAd"))).toEqual(["Impressions", "PickAd"]);
  });

  it("takes its rule with it", () => {
    const left = room.removeFlow(ruled, "Impressions");
    expect(watched(left)).toEqual(["GetAd"]);
    expect(room.removeService(left, "GetAd").binaries[0]).not.toHaveProperty("rules");
    expect(watched(room.removeService(ruled, "LogAd"))).toEqual(["Impressions", "GetAd"]);
  });
});

describe("an exposed service", () => {
  const exposed = (): Topology => good(({ binary }) => void (binary.expose = ["LogAd", "GetAd"]));

  it("is exposed by its new name", () => {
    expect(room.renameService(exposed(), "GetAd", "BestAd").binaries[0]?.expose).toEqual(["LogAd", "BestAd"]);
  });

  it("is exposed no more when it is removed", () => {
    const left = room.removeService(exposed(), "GetAd");
    expect(left.binaries[0]?.expose).toEqual(["LogAd"]);
    expect(room.removeService(left, "LogAd").binaries[0]).not.toHaveProperty("expose");
  });

  it("takes the port along that was opened for it, and no other", () => {
    const of = (http: Binary["http"], source = "rate"): Binary | undefined =>
      room.removeService(
        good(({ binary, flow }) => {
          Object.assign(binary, { http, expose: ["LogAd"] });
          if (source === "http") flow.source = { kind: "http", path: "/ads" };
        }),
        "LogAd",
      ).binaries[0];
    expect(of("127.0.0.1:0")).not.toHaveProperty("http");
    expect(of("127.0.0.1:8080")).toHaveProperty("http", "127.0.0.1:8080");
    expect(of("127.0.0.1:0", "http")).toHaveProperty("http", "127.0.0.1:0");
  });
});

describe("removing", () => {
  it("a service takes its calls, stages, bundle places and placements with it", () => {
    const left = room.removeService(good(), "ProduceAd");
    expect(printTopology(left)).not.toContain("ProduceAd");
    expect(errorsOf(left)).toEqual([]);
    const withoutLog = room.removeService(withMore(), "LogAd");
    expect(withoutLog.flows[0]?.stages.map(({ id }) => id)).toEqual(["pick", "oops"]);
  });

  it("a stage leaves those behind it following what it followed", () => {
    const branched = good(
      ({ flow }) =>
        void flow.stages!.push({ id: "more", service: "LogAd", role: "side-effect", after: ["log"] }),
    );
    const left = room.removeStage(branched, "Impressions", "log");
    expect(left.flows[0]?.stages[2]?.after).toEqual(["pick"]);
    expect(errorsOf(left)).toEqual([]);
  });

  it("a stage leaves the one behind it on its branch, and a catch off it", () => {
    const branched = good(({ flow, log }) => {
      log.when = "PAID";
      flow.stages!.splice(2, 0, { id: "more", service: "LogAd", role: "side-effect" });
    });
    const more = room.removeStage(branched, "Impressions", "log");
    expect(more.flows[0]?.stages.map(({ id, when }) => [id, when])).toEqual([
      ["pick", undefined],
      ["more", "PAID"],
      ["oops", undefined],
    ]);
    expect(errorsOf(more)).toEqual([]);
    const left = room.removeStage(more, "Impressions", "more");
    expect(left.flows[0]?.stages.map(({ id, when }) => [id, when])).toEqual([
      ["pick", undefined],
      ["oops", undefined],
    ]);
  });

  it("an implementation takes its weight with it", () => {
    const left = room.removeImplementation(good(), "ProduceAd", "ModelB");
    expect(left.binaries[0]?.placement["ProduceAd"]).toEqual({
      pool: "models",
      implementation: { ModelA: 90 },
    });
    const none = room.removeImplementation(left, "ProduceAd", "ModelA");
    expect(none.binaries[0]?.placement["ProduceAd"]).toEqual({ pool: "models" });
    expect(errorsOf(none)).toEqual([]);
  });

  it("a pool takes placements and joins on it with it", () => {
    const left = room.removePool(good(), "ads-server", "front");
    expect(printTopology(left)).not.toContain("front");
    expect(errorsOf(left)).toEqual([]);
  });

  it("flows, bundles, binaries and calls leave nothing behind", () => {
    expect(errorsOf(room.removeFlow(good(), "Impressions"))).toEqual([]);
    expect(errorsOf(room.removeBundle(good(), "AdBundle"))).toEqual([]);
    expect(room.removeBinary(good(), "ads-server").binaries).toEqual([]);
    expect(room.removeCall(good(), "GetAd", "ProduceAd").services[0]?.calls).toEqual([]);
  });

  it("a message is pointed out where it was used", () => {
    expect(new Set(errorsOf(room.removeMessage(good(), "Ad")))).toEqual(new Set(["PS301"]));
    expect(new Set(errorsOf(room.removeEnum(good(), "Tier")))).toEqual(new Set(["PS210"]));
  });
});
