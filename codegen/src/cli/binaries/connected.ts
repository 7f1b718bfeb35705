import { type LiveReplicas, PATIENCE_MS } from "../../live/index.js";
import type { LiveSchema } from "../../contract/index.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure } from "../verb/failure.js";
import { patiently } from "../verb/patience.js";

/** Resolves with the names when all its processes answer, so that a command does not meet a socket that is still opening. */
export function connected(live: LiveReplicas, binary: string): Promise<LiveSchema> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new Failure(
            EXIT.environment,
            "PS994",
            `${binary} does not answer`,
            "Look at its log; `penstock stop` ends it.",
          ),
        ),
      patiently(PATIENCE_MS),
    );
    void live.allAnswer().then(() => {
      // Without names it fell silent meanwhile: that is said in time.
      if (live.schema === null) return;
      clearTimeout(timer);
      resolve(live.schema);
    });
  });
}
