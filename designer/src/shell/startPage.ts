import { connectionStore, startConnection } from "../kernel/connection/connection.js";
import { startTheme } from "../kernel/ui/index.js";
import { follow } from "../features/projects/index.js";
import { compose, contributed } from "../registry/feature.js";
import { FEATURES } from "./features.js";

/** A fresh address in the tab that asks for one: to the browser it is the page that is there already. */
const signInAnew = (): void => {
  if (location.hash.startsWith("#code=")) location.reload();
};

/**
 * Starts what the page does beside showing something, once and before its first picture: what was asked early
 * is answered by then, as a rule, and the project is the first thing that is drawn.
 */
export function startPage(): void {
  // The page does not flash in the other theme.
  startTheme();
  compose(FEATURES);
  for (const start of contributed("follow").flat()) start();
  addEventListener("popstate", () => void follow());
  addEventListener("hashchange", signInAnew);
  connectionStore.subscribe(({ phase }, before) => {
    if (phase.kind === "ready" && before.phase.kind !== "ready") void follow();
  });
  startConnection();
}
