import type { NodeLook } from "./paintNode.js";

/** How something is, in one word, which is also the name of its colour; `none` where nothing runs. */
export type State = "bad" | "blocked" | "warn" | "ok" | "stale" | "none";

/** A queue that is filled so far makes callers wait (the limits of a join's gauge). */
const WAITING = 0.6;

/** The state of a node by its figures: what is worst comes first. */
export function stateOf(look: NodeLook | null, mark: "error" | "warning" | undefined): State {
  if (mark === "error") return "bad";
  if (!look) return mark === "warning" ? "warn" : "none";
  if (look.staleMs > 0) return "stale";
  if (look.bottleneck) return "bad";
  if ((look.figures?.errorRate ?? 0) > 0) return "bad";
  const { load } = look;
  if (load && load.blocked > 0) return "blocked";
  if ((load && load.waiting > WAITING) || mark === "warning") return "warn";
  return "ok";
}
