import { z } from "zod";
import { problemSchema } from "./api.js";

/** Files that come together, and their bytes as JSON text: the public files of googleapis are half of either. */
export const MOST_IMPORTED_FILES = 500;
export const IMPORTED_BYTES = 5_000_000;

/** Complete name in the description, and name in the drawing. */
const renamed = z.strictObject({ from: z.string(), to: z.string() });
const names = z.array(renamed);

/** What `penstock import --json` prints, too. */
export const importReportSchema = z.strictObject({
  messages: names,
  enums: names,
  services: names,
  bundles: names,
  /** Described, and drawn already in the same words. */
  kept: names,
  /** Fields, oneofs and enum values that could not keep their names, and what the reader says of its own. */
  renamed: names,
  leftOut: z.array(
    z.strictObject({ name: z.string(), reason: z.string(), file: z.string(), line: z.number() }),
  ),
  notes: z.array(z.string()),
});

export const importRequestSchema = z.strictObject({
  /** The drawing as it is in the browser, saved or not. */
  topology: z.string(),
  files: z
    .array(
      z.strictObject({
        /** With the folders that came along: `v1/trace.proto`. */
        path: z.string().min(1).max(1000),
        text: z.string(),
      }),
    )
    .min(1)
    .max(MOST_IMPORTED_FILES),
});

export const importPlanSchema = z.strictObject({
  /** The drawing with what would be added. */
  topology: z.string(),
  report: importReportSchema,
  /** Errors that it would have then, and has not now. */
  problems: z.array(problemSchema),
});
export type ImportPlan = z.infer<typeof importPlanSchema>;
