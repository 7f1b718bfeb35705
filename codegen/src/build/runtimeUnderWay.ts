import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isSameProcess } from "../process/index.js";

const underWaySchema = z.object({
  pid: z.number(),
  startTime: z.string(),
  done: z.number(),
  total: z.number(),
});

/**
 * How far set-up is that builds the runtime in this folder just now, by ninja's count; null when none does.
 * `scripts/setup/under-way.mjs` writes it: `npm start` shows the designer before it has built what binaries link.
 */
export function runtimeUnderWay(folder: string): { done: number; total: number } | null {
  try {
    const builder = underWaySchema.parse(JSON.parse(readFileSync(join(folder, "under-way.json"), "utf8")));
    return isSameProcess(builder.pid, builder.startTime)
      ? { done: builder.done, total: builder.total }
      : null;
  } catch {
    return null;
  }
}
