import type { Problem } from "@penstock/codegen/diagnostics";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { problemStore } from "../../kernel/problems/problemStore.js";

/** Problems of one place in the document: its own, and those of the parts of it. */
export interface PlaceProblems {
  own: readonly Problem[];
  within: (part: string) => readonly Problem[];
}

const under = (pointer: string, place: string): boolean =>
  pointer === place || pointer.startsWith(`${place}/`);

/** What is wrong at a JSON pointer, the same for as long as that is. `own` leaves out what a field or value shows itself. */
export function useProblemsAt(pointer: string): PlaceProblems {
  const here = useStore(
    problemStore,
    useShallow(({ all }) => all.filter((problem) => under(problem.pointer, pointer))),
  );
  return {
    own: here.filter((problem) => !/^\/(fields|values)\/\d+/.test(problem.pointer.slice(pointer.length))),
    within: (part) => here.filter((problem) => under(problem.pointer, pointer + part)),
  };
}
