import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { KeyedMutex, replaceFile } from "../../disk/index.js";
import { triedCallSchema, type TriedCall, type TriedCalls } from "../../contract/index.js";

const KEPT_OF_A_SERVICE = 10;
const KEPT_SERVICES = 200;
/** A longer answer was seen; what is offered again is the request. */
const ANSWER_BYTES = 10_000;

const fileSchema = z.array(z.tuple([z.string(), z.array(triedCallSchema)]));

/** With the user, not with the project: requests are data that must not get into git. */
const fileOf = (stateFolder: string, project: string): string =>
  join(stateFolder, "calls", `${project}.json`);

async function read(stateFolder: string, project: string): Promise<Map<string, TriedCall[]>> {
  try {
    const text = await readFile(fileOf(stateFolder, project), "utf8");
    return new Map(fileSchema.parse(JSON.parse(text)));
  } catch {
    // Nothing was tried yet, or the file is damaged: nothing is offered then.
    return new Map();
  }
}

/** So much of a way is read again; a longer one is that of a loop. */
const KEPT_CALLS = 40;

function short({ end, ...call }: TriedCall): TriedCall {
  const { trace, ...rest } = end;
  const way = trace ? { trace: trace.slice(0, KEPT_CALLS) } : {};
  if ("answer" in rest && JSON.stringify(rest.answer).length > ANSWER_BYTES)
    return { ...call, end: { tookMs: rest.tookMs, answer: "(too long to be kept)", ...way } };
  return { ...call, end: { ...rest, ...way } };
}

const files = new KeyedMutex();

/** Keeps the last calls of each service of a project, a request once. */
export function keepTriedCall(
  stateFolder: string,
  project: string,
  service: string,
  call: TriedCall,
): Promise<void> {
  const file = fileOf(stateFolder, project);
  return files.run(file, async () => {
    const calls = await read(stateFolder, project);
    const others = (calls.get(service) ?? []).filter(({ request }) => request !== call.request);
    calls.delete(service);
    const all = [[service, [short(call), ...others].slice(0, KEPT_OF_A_SERVICE)] as const, ...calls];
    await mkdir(join(stateFolder, "calls"), { recursive: true, mode: 0o700 });
    const text = `${JSON.stringify(all.slice(0, KEPT_SERVICES))}\n`;
    await replaceFile(file, text, 0o600);
  });
}

export async function readTriedCalls(stateFolder: string, project: string): Promise<TriedCalls> {
  // Names are the user's: no prototype.
  return Object.assign(
    Object.create(null) as TriedCalls,
    Object.fromEntries(await read(stateFolder, project)),
  );
}
