import os from "node:os";
import { bad, good, say, seconds } from "../setup/report.mjs";
import { CHECKS } from "./steps.mjs";

/**
 * Runs the checks whose name holds one of `words` (all without words), as many at once as there
 * are processors, and prints each outcome when it is known.
 * @returns {Promise<{passed: number, failed: number}>}
 */
export async function runChecks(root, words = []) {
  const wanted = CHECKS.filter(
    (check) => words.length === 0 || words.some((word) => check.name.includes(word)),
  );
  const waiting = [...wanted];
  let failed = 0;
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const startedAt = performance.now();
      const { ok, output } = await check.run(root);
      (ok ? good : bad)(`${check.name} (${seconds(startedAt)})`);
      if (output.trim() !== "") say(output.trim().replaceAll(/^/gm, "    "));
      if (!ok) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  return { passed: wanted.length - failed, failed };
}
