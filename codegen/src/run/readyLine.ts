import { z } from "zod";
import { isControlAddress } from "./controlAddress.js";

const readySchema = z.looseObject({
  event: z.literal("ready"),
  binary: z.string(),
  pid: z.number().int().positive(),
  control: z.string().refine(isControlAddress),
  http: z.string().nullable().optional(),
});

/** What a binary prints as one JSON line when it is ready. */
export interface Ready {
  pid: number;
  control: string;
  http: string | null;
}

/** Reads the ready line; null for everything else that a program may print. */
export function readReadyLine(line: string, binary: string): Ready | null {
  if (!line.startsWith("{") || !line.includes('"ready"')) return null;
  try {
    const result = readySchema.safeParse(JSON.parse(line));
    if (!result.success || result.data.binary !== binary) return null;
    const { pid, control, http } = result.data;
    return { pid, control, http: http ?? null };
  } catch {
    return null;
  }
}
