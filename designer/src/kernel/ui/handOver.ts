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

/** Hands a text to the browser as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
