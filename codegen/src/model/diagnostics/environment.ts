import type { Problem } from "./problem.js";

/** What the machine is in the way of, not the project: no room, no right, no tool, somebody else at work. */
const OF_ENVIRONMENT: ReadonlySet<string> = new Set([
  "PS704",
  "PS705",
  "PS706",
  "PS854",
  "PS855",
  "PS858",
  "PS859",
  "PS861",
  "PS863",
  "PS864",
  "PS876",
  "PS891",
  "PS892",
  "PS893",
  "PS895",
  "PS899",
]);

export const isOfEnvironment = ({ code }: Problem): boolean => OF_ENVIRONMENT.has(code);
