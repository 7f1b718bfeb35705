import { readySchema } from "../../contract/index.js";

/** What is taken from the line. */
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
