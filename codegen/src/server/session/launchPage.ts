import { createHash } from "node:crypto";
import { readdir, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeStateDir } from "../../process/index.js";
import { LIMITS } from "../http/limits.js";

/**
 * A page in a file that leads a browser to a one-time address. Its name is all that the browser is
 * started with: every user of the machine can read the arguments of every process, but not a file of
 * mode 0600 in a folder of mode 0700. It goes when its code is used, when the server ends, and
 * when it is too old to be used.
 */
const FOLDER = "open";

/** By its code, so that whoever knows the code finds it, and nobody else. */
const nameOf = (code: string): string =>
  `${createHash("sha256").update(code).digest("hex").slice(0, 32)}.html`;

const ESCAPED: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string): string => text.replace(/[&"<>]/g, (found) => ESCAPED[found] ?? "");

const pageTo = (url: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${escaped(url)}">
<title>Penstock</title>
<p><a href="${escaped(url)}">To the designer</a></p>
`;

/** Makes the page for an address with a code; its path. */
export async function makeLaunchPage(url: string): Promise<string> {
  await removeStaleLaunchPages();
  const code = new URLSearchParams(new URL(url).hash.slice(1)).get("code") ?? "";
  const path = join(await makeStateDir(FOLDER), nameOf(code));
  await writeFile(path, pageTo(url), { mode: 0o600, flag: "wx" });
  return path;
}

/** The code was used, or never will be. */
export async function removeLaunchPage(code: string): Promise<void> {
  await unlink(join(await makeStateDir(FOLDER), nameOf(code))).catch(() => undefined);
}

/** Those whose code is too old by now, whoever made them. */
export async function removeStaleLaunchPages(nowMs: number = Date.now()): Promise<void> {
  const folder = await makeStateDir(FOLDER);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && nowMs - info.mtimeMs > LIMITS.codeLifetimeMs)
      await unlink(path).catch(() => undefined);
  }
}
