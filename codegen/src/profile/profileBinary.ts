import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LiveSchema, Profile } from "../contract/index.js";
import { ConfinedFolder } from "../disk/index.js";
import type { Topology } from "../model/topology/index.js";
import { readRecording, record } from "./perf.js";
import { recordedNames } from "./recordedNames.js";
import { StackReader } from "./stackReader.js";
import { StackTree } from "./stackTree.js";

export interface ProfileOptions {
  /** Real path of the project's folder. */
  projectDir: string;
  topology: Topology;
  binary: string;
  /** Numbers that processes have here, also those behind a fence with numbers of its own. */
  processes: readonly { name: string; pid: number }[];
  /** What the binary says of itself once it is recorded; nothing where it does not answer. */
  running: () => LiveSchema | null;
  seconds: number;
  /** The project is from elsewhere: what perf reads of its files may be made to harm, and is read behind a fence. */
  fenced: boolean;
  signal: AbortSignal;
  /** How many times as long as usual perf is waited for. */
  patience: number;
  onStep?: (step: "recording" | "reading") => void;
}

/**
 * Records where the CPU time of a binary's processes goes, and lays the stacks over each other. Rejects with NotRecorded
 * where perf is missing, may not, or fails, and with the reason of `signal` when that is aborted; nothing is left then.
 */
export async function profileBinary(options: ProfileOptions): Promise<{ profile: Profile; tree: StackTree }> {
  const { projectDir, topology, binary, processes, running, seconds, fenced, signal, patience, onStep } =
    options;
  const folder = await mkdtemp(join(tmpdir(), "penstock-profile-"));
  try {
    const file = join(folder, "perf.data");
    onStep?.("recording");
    const recorded = await record({ pids: processes.map(({ pid }) => pid), seconds, file, signal, patience });
    onStep?.("reading");
    const tree = new StackTree(recordedNames(topology, binary, running()));
    const reader = new StackReader((stack) => tree.add(stack));
    await readRecording({
      file,
      readable: fenced ? [folder, projectDir] : undefined,
      signal,
      patience,
      onLine: (line) => reader.push(line),
    });
    reader.end();
    const names = processes.map(({ name }) => name);
    return { profile: tree.profile({ binary, processes: names, seconds: recorded }), tree };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const FOLDER = "build/profile";

/**
 * Keeps the last flame graph of a binary in its project; gives its path. Throws when a link stands in the way: a project
 * may come from somebody else.
 */
export async function keepFlameGraph(projectDir: string, binary: string, svg: string): Promise<string> {
  const path = `${FOLDER}/${binary}.svg`;
  await ConfinedFolder.within(projectDir, (folder) => folder.replace(path, svg));
  return join(projectDir, path);
}
