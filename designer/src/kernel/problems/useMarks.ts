import { useMemo } from "react";
import { useStore } from "zustand";
import { useDocument } from "../document/index.js";
import { problemStore, type Mark, type ProblemState } from "./problemStore.js";

/** Nodes that something is wrong with, and how bad; of one that somebody just draws, not what is merely missing yet. */
export function useMarks(): ReadonlyMap<string, Mark> {
  const selection = useDocument((state) => state.selection);
  const marks = useStore(problemStore, (state) => state.marks);
  // As a text, which is the same as long as they are.
  const begun = useStore(problemStore, (state) => begunOf(state, selection).join(" "));
  return useMemo(() => {
    if (begun === "") return marks;
    const left = new Set(begun.split(" "));
    return new Map([...marks].filter(([ref]) => !left.has(ref)));
  }, [marks, begun]);
}

/** A flow without a stage: each is one when it is new. */
const NO_STAGE = "PS402";

/**
 * Nodes that are chosen and lack but their next step, as long as nobody has tried to generate: red is what is left so.
 */
export function begunOf(
  { drawn, built }: Pick<ProblemState, "drawn" | "built">,
  selection: readonly string[],
): string[] {
  return selection.filter((ref) => {
    const own = drawn.filter(({ node }) => node === ref);
    const isTold = built.some(({ node }) => node === ref);
    return !isTold && own.length > 0 && own.every(({ code }) => code === NO_STAGE);
  });
}
