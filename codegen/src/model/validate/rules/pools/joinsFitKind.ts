import { quote } from "../../../diagnostics/index.js";
import {
  binariesOfStage,
  placedOn,
  stagesRunOn,
  type Binary,
  type Flow,
  type Stage,
  type StagePlace,
} from "../../../topology/index.js";
import { reachOf } from "../../rule/reach.js";
import { rule, type Codes, type RuleContext } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

/** Stands for the binary of a flow that none serves yet: only joins with own pools are known there. */
const NOWHERE: Binary = { name: "", bundles: [], pools: [], placement: {}, listen: [], control: "" };

const CODES = {
  PS515: {
    severity: "error",
    title: "Blocking stage on one thread",
    explanation:
      "A `sync-remote` stage blocks its thread while it waits; on a one-thread pool everything behind it would stand still.",
    help: "Give the pool more threads, put the stage on another pool, or make the service `async-remote`.",
  },
  PS516: {
    severity: "warning",
    title: "Blocking service on one thread",
    explanation:
      "A `sync-remote` service blocks its thread while it waits, so its calls run one after the other there.",
    help: "Give the pool more threads, place the service on another pool, or make it `async-remote`.",
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/**
 * No `sync-remote` stage is served by a one-thread pool, by its join or fused behind another; a called
 * `sync-remote` service on one is worth a warning.
 */
export const joinsFitKind = rule({
  name: "joinsFitKind",
  codes: CODES,
  check(context) {
    for (const [at, flow] of context.topology.flows.entries()) checkFlow(context, at, flow);
    checkCalled(context);
  },
});

function checkFlow({ index, report }: Context, at: number, flow: Flow): void {
  const blocking = flow.stages.map(({ service }) => index.services.get(service)?.item.kind === "sync-remote");
  if (!blocking.includes(true)) return;
  const told = new Set<number>();
  const serving = (index.binariesOfFlow.get(flow.name) ?? []).flatMap(
    (name) => index.binaries.get(name)?.item ?? [],
  );
  const known = serving.length > 0;
  for (const binary of known ? serving : [NOWHERE]) {
    const isElsewhere = (service: string) => known && reachOf(index, binary.name, service) === "there";
    stagesRunOn(binary, flow, isElsewhere).forEach(({ places, queued, elsewhere }, inner) => {
      const stage = flow.stages[inner];
      const where = elsewhere ? placesThere(index, flow, stage) : places;
      const narrow = where.find(({ threads }) => threads === 1);
      if (narrow === undefined || stage === undefined || blocking[inner] !== true || told.has(inner)) return;
      told.add(inner);
      const place = ["flows", at, "stages", inner];
      const how = queued || elsewhere ? "runs on" : "runs fused behind the stage before it on";
      report(
        "PS515",
        stage.join === undefined ? place : [...place, "join"],
        `The sync-remote stage ${quote(stage.id)} of ${quote(flow.name)} ${how} ${poolText(narrow)}`,
      );
    });
  }
}

/** Where the join of a stage that only others run puts it; without one it is called there, like any service. */
const placesThere = (index: Context["index"], flow: Flow, stage: Stage | undefined): StagePlace[] =>
  stage?.join === undefined
    ? []
    : binariesOfStage(index, flow.name, stage.service).flatMap((name) => {
        const binary = index.binaries.get(name)?.item;
        const { after: _, ...alone } = stage;
        return binary
          ? (stagesRunOn(binary, { ...flow, stages: [alone] }, () => false)[0]?.places ?? [])
          : [];
      });

const poolText = ({ pool }: StagePlace): string =>
  "name" in pool
    ? `one thread of the pool ${quote(pool.name)}`
    : `the one thread of the join of ${quote(pool.ownOf)}`;

function checkCalled({ topology, index, report }: Context): void {
  const servedBy = new Map<string, number[]>();
  topology.binaries.forEach(({ name }, at) => servedBy.set(name, [...(servedBy.get(name) ?? []), at]));
  for (const { name, kind } of topology.services) {
    if (kind !== "sync-remote" || !index.callers.has(name)) continue;
    for (const binaryName of index.binariesOfService.get(name) ?? [])
      for (const at of servedBy.get(binaryName) ?? []) {
        const binary = topology.binaries[at];
        if (binary === undefined) continue;
        const { pool, threads } = placedOn(binary, name);
        if (threads !== 1) continue;
        const place = Object.hasOwn(binary.placement, name) ? ["placement", name] : [];
        report(
          "PS516",
          ["binaries", at, ...place],
          `The sync-remote service ${quote(name)} is called on one thread of the pool ${quote(pool)} in ${quote(binaryName)}`,
        );
      }
  }
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS515",
    title: "a blocking stage on one thread",
    spoil: ({ getAd, binary }) => {
      getAd.kind = "sync-remote";
      binary.placement!["GetAd"] = { pool: "models" };
    },
    pointer: "/flows/0/stages/0/join",
    node: "stage:Impressions/pick",
  },
  {
    code: "PS515",
    title: "a blocking stage fused behind one thread",
    spoil: ({ logAd }) => void (logAd.kind = "sync-remote"),
    pointer: "/flows/0/stages/1",
  },
  {
    code: "PS515",
    title: "a blocking stage on an own thread, drawn before any binary",
    spoil: ({ getAd, pick, document, binary }) => {
      getAd.kind = "sync-remote";
      pick.join = { threads: 1 };
      binary.bundles = [];
      delete binary.placement;
      document.services![1]!.kind = "simple";
    },
    pointer: "/flows/0/stages/0/join",
  },
  {
    code: "PS515",
    title: "a blocking first stage placed on one thread of a pool",
    spoil: ({ getAd, pick, binary }) => {
      getAd.kind = "sync-remote";
      delete pick.join;
      binary.placement!["GetAd"] = { pool: "models", thread: 1 };
    },
    pointer: "/flows/0/stages/0",
  },
  {
    code: "PS515",
    title: "a blocking stage on a pool that may shrink to one thread",
    spoil: ({ getAd, pick, binary, models }) => {
      getAd.kind = "sync-remote";
      models.threads = { from: 1, to: 8 };
      pick.join = { pool: "models" };
      binary.placement!["GetAd"] = { pool: "models" };
    },
    pointer: "/flows/0/stages/0/join",
  },
  {
    code: "PS515",
    title: "a blocking stage whose join is one thread of another binary",
    spoil: ({ bundle, document, flow, logAd }) => {
      logAd.kind = "sync-remote";
      bundle.services = ["GetAd", "ProduceAd", "CountError"];
      document.bundles!.push({ name: "Logs", services: ["LogAd"] });
      document.binaries!.push({ name: "logs", bundles: ["Logs"], pools: [{ name: "one", threads: [{}] }] });
      flow.stages![1]!.join = { pool: "one" };
    },
    pointer: "/flows/0/stages/1/join",
  },
  {
    code: "PS516",
    title: "a blocking callee on one thread",
    severity: "warning",
    spoil: ({ binary }) => void (binary.placement!["ProduceAd"] = { pool: "front" }),
    pointer: "/binaries/0/placement/ProduceAd",
  },
  {
    code: "PS516",
    title: "a blocking callee on the default pool of one thread",
    severity: "warning",
    spoil: ({ binary }) => {
      delete binary.placement!["ProduceAd"];
      binary.pools!.push({ name: "default", threads: [{}] });
    },
    pointer: "/binaries/0",
  },
];
