import type { Flow } from "../model/topology/index.js";
import type { CompositionPlan, ServicePlan, StagePlan } from "./projectPlan.js";

/** As many stages as the runtime runs as one (`defaults::kMostStepsAtOnce`). */
export const MOST_COMPOSED = 16;

const COMPOSED_AS: Record<string, string> = {
  map: "::penstock::Map",
  "side-effect": "::penstock::SideEffect",
};

/**
 * The longest chains of stages that are drawn one behind the other without joins and with nothing between,
 * whose handlers are plain functions: main() names their types, and the compiler makes one function of each.
 */
export function planCompositions(
  flow: Flow,
  stages: readonly StagePlan[],
  services: ReadonlyMap<string, ServicePlan>,
): CompositionPlan[] {
  const compositions: CompositionPlan[] = [];
  let chain: StagePlan[] = [];
  const close = (): void => {
    if (chain.length > 1) compositions.push(compositionOf(chain));
    chain = [];
  };
  for (const [at, stage] of stages.entries()) {
    const goesOn = followsAlone(stages, at) && flow.stages[at]?.join === undefined;
    if (!goesOn || chain.length === MOST_COMPOSED) close();
    if (isPlain(stage, services.get(stage.service))) chain.push(stage);
    else close();
  }
  close();
  return compositions;
}

function compositionOf(chain: readonly StagePlan[]): CompositionPlan {
  return {
    first: chain[0]!.id,
    stages: chain.map((stage) => `${COMPOSED_AS[stage.role]}<${stage.handlerTypes[0]}>`),
  };
}

/** It and nobody else takes what the stage before it in the list gives. */
function followsAlone(stages: readonly StagePlan[], at: number): boolean {
  const [stage, before] = [stages[at]!, stages[at - 1]];
  if (before === undefined || stage.after.length > 0 || stage.when !== undefined) return false;
  return !stages.some((other) => other !== stage && other.after.includes(before.id));
}

/** One handler, run to its end by itself for any number of events at once. */
function isPlain(stage: StagePlan, service: ServicePlan | undefined): boolean {
  if (service === undefined || COMPOSED_AS[stage.role] === undefined) return false;
  const runsToItsEnd = !service.isCoroutine && service.kind !== "sync-remote";
  return (
    runsToItsEnd && service.handlers.length === 1 && service.partitionField === "" && service.deadlineMs === 0
  );
}
