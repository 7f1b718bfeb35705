import { toast } from "./toast.js";

/** Copies a line, and says so with `done`; or that the browser does not let us. */
export async function copyLine(line: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(line);
    toast(done, { body: line });
  } catch {
    toast("The browser lets nothing be copied", { tone: "warn", body: line });
  }
}
