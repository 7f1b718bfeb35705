import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type LiveSchema, profileSchema } from "../contract/index.js";
import { parseTopology, type Topology } from "../model/topology/index.js";
import { recordedNames } from "./recordedNames.js";
import { StackReader } from "./stackReader.js";
import { StackTree } from "./stackTree.js";
import { RECORDING } from "./testing/fakePerf.js";

const ads = parseTopology(readFileSync(new URL("../../../examples/ads/topology.json", import.meta.url)))
  .topology as Topology;
const about = { binary: "app", processes: ["app"], seconds: 10 };

const frame = (name: string) =>
  name.startsWith("k:") ? { name: name.slice(2), kernel: true } : { name, kernel: false };
/** Stacks are written from the outside in: `clone3 > ads::GetAd::handle`. */
function treeOf(stacks: readonly string[], topology = ads, most?: number, runs?: LiveSchema): StackTree {
  const tree = new StackTree(recordedNames(topology, "ads-server", runs), most);
  for (const way of stacks)
    tree.add({ thread: "front-0", frames: way === "" ? [] : way.split(" > ").reverse().map(frame) });
  return tree;
}
const ownersOf = (tree: StackTree) =>
  Object.fromEntries(
    tree
      .profile(about)
      .owners.flatMap(({ kind, name, samples }) =>
        samples > 0 ? [[`${kind} ${name}`.trim(), samples]] : [],
      ),
  );

test("a kept recording of a binary is shared out among its services, the runtime and the kernel", () => {
  const tree = new StackTree(recordedNames(ads, "ads-server"));
  const reader = new StackReader((stack) => tree.add(stack));
  for (const line of readFileSync(RECORDING, "utf8").split("\n")) reader.push(line);
  reader.end();
  const profile = tree.profile(about);
  expect(profileSchema.parse(profile)).toEqual(profile);
  expect(ownersOf(tree)).toEqual({
    "service GetAd": 13,
    "service ProduceAd": 8,
    "service CountError": 1,
    "source Impressions": 1,
    runtime: 18,
    kernel: 16,
  });
  const folded = [...tree.folded()].map((line) => /^(.+) (\d+)\n$/.exec(line));
  expect(folded.reduce((sum, line) => sum + Number(line?.[2]), 0)).toBe(profile.samples);
  expect(new Set(folded.map((line) => line?.[1]?.split(";")[0]))).toEqual(
    new Set(["front", "models", "ps-src"]),
  );
});

test("what a handler calls is its service's, up to the next handler", () => {
  const tree = treeOf([
    "clone3 > penstock::exec::Worker::run > ads::GetAd::handle > penstock::call::send > k:futex",
    "clone3 > penstock::exec::Worker::run > ads::GetAd::handle > malloc",
    "clone3 > penstock::exec::Worker::run > ads::GetAd::handle > ads::ProduceAd::ModelA::handle > k:nanosleep",
    "clone3 > penstock::exec::Worker::run > ads::Impressions::event > ads::GetAd::helper",
    "clone3 > penstock::exec::Worker::run > ads::Impressions::event",
    "clone3 > penstock::exec::Worker::run > memcpy",
    "clone3 > penstock::exec::Worker::run > k:futex",
    "clone3 > main > ads::helper",
    "clone3 > k:clone",
  ]);
  expect(ownersOf(tree)).toEqual({
    "service GetAd": 3,
    "service ProduceAd": 1,
    "source Impressions": 1,
    runtime: 1,
    kernel: 2,
    other: 1,
  });
});

test("the runtime's code for one handler is its service's, that for several is the runtime's", () => {
  const tree = treeOf([
    "penstock::call::serve<ads::ProduceAd::ModelA>",
    "penstock::flow::run_stage<ads::GetAd, (penstock::flow::Role)0>",
    "penstock::flow::run_all<ads::GetAd, ads::LogAd>",
    "penstock::Stub<ads::AdRequest, ads::Ad>::each",
    "std::function<ads::GetAd>",
  ]);
  expect(ownersOf(tree)).toEqual({ "service GetAd": 1, "service ProduceAd": 1, runtime: 2, other: 1 });
});

/** What a binary says of itself, as far as a recording needs it. */
const runs = (names: {
  project?: string;
  services?: string[];
  flows?: object[];
  pools?: object[];
}): LiveSchema =>
  ({
    ...{ project: "ads", flows: [], pools: [], ...names },
    services: (names.services ?? []).map((name) => ({ name })),
  }) as unknown as LiveSchema;

test("what was renamed since a binary was built is booked by the name that it runs by, and not on the runtime", () => {
  const stacks = [
    "clone3 > penstock::exec::Worker::run > shop::Pick::handle > malloc",
    "clone3 > penstock::exec::Worker::run > penstock::call::serve<shop::Pick>",
    "clone3 > penstock::exec::Worker::run > shop::Clicks::event",
    "clone3 > penstock::exec::Worker::run > shop::sources::tick_tock::Source::next",
    "clone3 > penstock::exec::Worker::run > memcpy",
  ];
  const named = runs({
    project: "shop",
    services: ["Pick"],
    flows: [
      { name: "Clicks", source: { kind: "rate" } },
      { name: "Ticks", source: { kind: "tick-tock" } },
    ],
  });
  expect(ownersOf(treeOf(stacks, ads, undefined, named))).toEqual({
    "service Pick": 2,
    "source Clicks": 1,
    "source Ticks": 1,
    runtime: 1,
  });
});

test("a handler of a service that nobody knows is not the runtime's, and a helper of that name its caller's", () => {
  const tree = treeOf([
    "clone3 > penstock::exec::Worker::run > ads::Former::handle > malloc",
    "clone3 > penstock::exec::Worker::run > ads::Former::Model::handle",
    "clone3 > penstock::exec::Worker::run > ads::Ad::~Ad",
    "clone3 > penstock::exec::Worker::run > ads::GetAd::handle > ads::Parser::handle",
  ]);
  expect(ownersOf(tree)).toEqual({ "service GetAd": 1, runtime: 1, other: 2 });
});

test("a namespace that a binary calls its own is none where it could not be one", () => {
  const tree = treeOf(
    ["ads::GetAd::handle"],
    ads,
    undefined,
    runs({ project: "(a+)+$", services: ["GetAd"] }),
  );
  expect(ownersOf(tree)).toEqual({ "service GetAd": 1 });
});

test("a project's own source is its flow's, unless several flows have it", () => {
  const flow = ads.flows[0]!;
  const own = { ...flow, source: { kind: "tick-tock" } } as unknown as typeof flow;
  const one = { ...ads, flows: [own] };
  const two = { ...ads, flows: [own, { ...own, name: "Others" }] };
  const stacks = ["ads::sources::tick_tock::Source::next"];
  expect(ownersOf(treeOf(stacks, one))).toEqual({ "source Impressions": 1 });
  expect(ownersOf(treeOf(stacks, two))).toEqual({ other: 1 });
});

test("a tree that is full counts what it has no place for at a caller, and grows no more", () => {
  const stacks = Array.from({ length: 500 }, (_, at) => `main > f${at} > g${at}`);
  const tree = treeOf(stacks, ads, 100);
  expect(tree.samples).toBe(500);
  const lines = [...tree.folded()];
  expect(lines.length).toBeLessThanOrEqual(100);
  expect(lines.reduce((sum, line) => sum + Number(/ (\d+)\n$/.exec(line)?.[1]), 0)).toBe(500);
});

test("hands on no frame that nobody could see, and none without its caller", () => {
  const often = Array.from({ length: 3_000 }, () => "main > often");
  const { frames, names } = treeOf([...often, "main > seldom > deep"]).profile(about);
  expect(names).toEqual(["front", "main", "often"]);
  frames.forEach(([parent], at) => expect(parent).toBeLessThan(at));
});

test("a name cannot add steps to a folded line", () => {
  expect([...treeOf(["a;b 7 > c"]).folded()]).toEqual(["front;a:b 7;c 1\n"]);
});
