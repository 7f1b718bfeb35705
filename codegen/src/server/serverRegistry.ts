import { readdir, readFile, unlink } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { isSameProcess, makeStateDir, processStartTime } from "../process/index.js";
import { replaceFile } from "../disk/index.js";

const entrySchema = z.strictObject({
  url: z.string(),
  workspace: z.string(),
  pid: z.number(),
  startTime: z.string(),
  token: z.string(),
});

/** A running server of this user's, with the token that the command line speaks to it with. */
export type RunningServer = z.infer<typeof entrySchema>;

/** Writes the entry (0600, outside every workspace) and returns how to take it away again. */
export async function registerServer(server: {
  url: string;
  workspace: string;
  token: string;
}): Promise<() => Promise<void>> {
  const folder = await makeStateDir("servers");
  const name = createHash("sha256").update(server.workspace).digest("hex").slice(0, 20);
  const path = join(folder, `${name}.json`);
  const startTime = processStartTime(process.pid) ?? "";
  const entry: RunningServer = { ...server, pid: process.pid, startTime };
  await replaceFile(path, `${JSON.stringify(entry)}\n`, 0o600);
  return () => unlink(path).catch(() => undefined);
}

/** The servers of this user that are alive; entries of dead ones are removed. */
export async function listServers(): Promise<RunningServer[]> {
  const folder = await makeStateDir("servers");
  const servers: RunningServer[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".json")) continue;
    const path = join(folder, name);
    try {
      const entry = entrySchema.parse(JSON.parse(await readFile(path, "utf8")));
      if (isSameProcess(entry.pid, entry.startTime)) servers.push(entry);
      else await unlink(path);
    } catch {
      // Being written or taken away just now.
    }
  }
  return servers;
}
