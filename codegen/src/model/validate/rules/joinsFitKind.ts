import { quote } from "../../diagnostics/index.js";
import { placedOn, stagesRunOn, type Binary, type Flow, type StagePlace } from "../../topology/index.js";
import type { Rule, RuleContext } from "../rule.js";

/** Stands for the binary of a flow that none serves yet: only joins with own pools are known there. */
const NOWHERE: Binary = { name: "", bundles: [], pools: [], placement: {}, listen: [], control: "" };

/**
 * No `sync-remote` stage is served by a one-thread pool, by its join or fused behind another; a called
 * `sync-remote` service on one is worth a warning.
 */
export const joinsFitKind: Rule = {
  name: "joinsFitKind",
  codes: ["PS515", "PS516"],
  check(context) {
    for (const [at, flow] of context.topology.flows.entries()) checkFlow(context, at, flow);
    checkCalled(context);
  },
};

function checkFlow({ index, report }: RuleContext, at: number, flow: Flow): void {
  const blocking = flow.stages.map(({ service }) => index.services.get(service)?.item.kind === "sync-remote");
  if (!blocking.includes(true)) return;
  const told = new Set<number>();
  const serving = (index.binariesOfFlow.get(flow.name) ?? []).flatMap(
    (name) => index.binaries.get(name)?.item ?? [],
  );
  for (const binary of serving.length === 0 ? [NOWHERE] : serving)
    stagesRunOn(binary, flow).forEach(({ places, queued }, inner) => {
      const narrow = places.find(({ threads }) => threads === 1);
      const stage = flow.stages[inner];
      if (narrow === undefined || stage === undefined || blocking[inner] !== true || told.has(inner)) return;
      told.add(inner);
      const place = ["flows", at, "stages", inner];
      const how = queued ? "runs on" : "runs fused behind the stage before it on";
      report(
        "PS515",
        stage.join === undefined ? place : [...place, "join"],
        `The sync-remote stage ${quote(stage.id)} of ${quote(flow.name)} ${how} ${poolText(narrow)}`,
      );
    });
}

const poolText = ({ pool }: StagePlace): string =>
  "name" in pool
    ? `one thread of the pool ${quote(pool.name)}`
    : `the one thread of the join of ${quote(pool.ownOf)}`;

function checkCalled({ topology, index, report }: RuleContext): void {
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
