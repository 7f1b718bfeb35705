import type { Problem } from "@penstock/codegen/diagnostics";
import { useStore } from "zustand";
import type { Mark } from "../canvas/toCanvasNodes.js";
import { createStore } from "zustand/vanilla";

/** What is wrong: with the drawing (found here, as it is drawn) and in the last build. */
export interface ProblemState {
  readonly drawn: readonly Problem[];
  readonly built: readonly Problem[];
  /** Both, errors first. */
  readonly all: readonly Problem[];
  /** Nodes that something is wrong with, and how bad; the same map as long as that stays. */
  readonly marks: ReadonlyMap<string, Mark>;
}

export const problemStore = createStore<ProblemState>(() => ({
  drawn: [],
  built: [],
  all: [],
  marks: new Map(),
}));

const sorted = (problems: readonly Problem[]): Problem[] => [
  ...problems.filter((problem) => problem.severity === "error"),
  ...problems.filter((problem) => problem.severity !== "error"),
];

export const setDrawnProblems = (drawn: readonly Problem[]): void =>
  problemStore.setState((state) => merged(drawn, state.built, state));

/** Takes over what the compiler or the generator said; rules that also run here are not shown twice. */
export const setBuildProblems = (built: readonly Problem[]): void =>
  problemStore.setState((state) => merged(state.drawn, built, state));

function merged(drawn: readonly Problem[], built: readonly Problem[], before: ProblemState): ProblemState {
  const all = sorted([...drawn, ...withoutDrawn(built, drawn)]);
  const marks = marksOf(all);
  const same =
    marks.size === before.marks.size && [...marks].every(([ref, mark]) => before.marks.get(ref) === mark);
  return { drawn, built, all, marks: same ? before.marks : marks };
}

/** The worst of what is wrong with each node. */
export function marksOf(problems: readonly Problem[]): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const problem of problems) {
    if (problem.node === undefined) continue;
    if (problem.severity === "error" || !marks.has(problem.node)) marks.set(problem.node, problem.severity);
  }
  return marks;
}

const withoutDrawn = (built: readonly Problem[], drawn: readonly Problem[]): Problem[] =>
  built.filter(
    (problem) =>
      !drawn.some(
        (other) =>
          other.code === problem.code &&
          other.pointer === problem.pointer &&
          other.message === problem.message,
      ),
  );

export const useProblems = (): readonly Problem[] => useStore(problemStore, (state) => state.all);
