import type { Problem } from "@penstock/codegen/diagnostics";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

/** How bad what is wrong with a node is. */
export type Mark = "error" | "warning";

/** What is wrong: with the drawing (found here, as it is drawn), in the user's code, and in the last build. */
export interface ProblemState {
  readonly drawn: readonly Problem[];
  /** Of `drawn`, what is only begun: to be done, and wrong once somebody asked to generate it. */
  readonly toDo: readonly Problem[];
  /** Of the user's code, read beside the drawing. */
  readonly code: readonly Problem[];
  /** As the last build or generation said them. */
  readonly told: readonly Problem[];
  /** Whether what was told is still so for what is drawn now. */
  readonly holds: (problem: Problem) => boolean;
  /** Of `told`, what still holds. */
  readonly built: readonly Problem[];
  /** All of them but what is to be done yet, errors first. */
  readonly all: readonly Problem[];
  /** Nodes that something is wrong with, and how bad; the same map as long as that stays. */
  readonly marks: ReadonlyMap<string, Mark>;
}

export const problemStore = createStore<ProblemState>(() => ({
  drawn: [],
  toDo: [],
  code: [],
  told: [],
  holds: () => true,
  built: [],
  all: [],
  marks: new Map(),
}));

const sorted = (problems: readonly Problem[]): Problem[] => [
  ...problems.filter((problem) => problem.severity === "error"),
  ...problems.filter((problem) => problem.severity !== "error"),
];

/** Takes over what is wrong with the drawing, and what it makes of older words about it. */
export const setDrawnProblems = (drawn: readonly Problem[], holds?: ProblemState["holds"]): void =>
  problemStore.setState((state) => merged({ ...state, drawn, holds: holds ?? state.holds }));

/** Takes over what the compiler or the generator said; rules that also run here are not shown twice. */
export const setBuildProblems = (told: readonly Problem[]): void =>
  problemStore.setState((state) => merged({ ...state, told }));

/** Takes over what the server read in the user's code. */
export const setCodeProblems = (code: readonly Problem[]): void =>
  problemStore.setState((state) => merged({ ...state, code }));

function merged(state: ProblemState): ProblemState {
  const { drawn, told, holds } = state;
  const built = told.filter(holds);
  const toDo = drawn.filter((problem) => problem.code === NO_STAGE && !isTold(problem, built));
  const code = state.code.filter((problem) => holds(problem) && !isCompiled(problem, built));
  const all = sorted([...drawn.filter((one) => !toDo.includes(one)), ...withoutDrawn(built, drawn), ...code]);
  const marks = marksOf(all);
  const { marks: before } = state;
  const same = marks.size === before.size && [...marks].every(([ref, mark]) => before.get(ref) === mark);
  return { ...state, built, toDo, all, marks: same ? before : marks };
}

/** A flow without a stage: each is one when it is new. */
const NO_STAGE = "PS402";

/** A rule says the same wherever what it names stands by now. */
const isTold = (problem: Problem, built: readonly Problem[]): boolean =>
  built.some(({ code, message }) => code === problem.code && message === problem.message);

/** The compiler has said something about that line, too. */
const isCompiled = (problem: Problem, built: readonly Problem[]): boolean =>
  built.some(({ file, line }) => file === problem.file && line === problem.line);

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
  built.filter((problem) => !isTold(problem, drawn));

export const useProblems = (): readonly Problem[] => useStore(problemStore, (state) => state.all);

export const useToDo = (): readonly Problem[] => useStore(problemStore, (state) => state.toDo);

/** Nodes that something is wrong with, and how bad. */
export const useMarks = (): ReadonlyMap<string, Mark> => useStore(problemStore, (state) => state.marks);
