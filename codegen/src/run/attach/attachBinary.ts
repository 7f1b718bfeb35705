import { isControlAddress, portOf } from "../../contract/index.js";
import { problem, suggest, type Problem, type ProblemCode } from "../../model/diagnostics/index.js";
import { topologyHash, type Topology } from "../../model/topology/index.js";
import type { LiveSchema } from "../../contract/index.js";
import {
  forgetAttached,
  listAttached,
  listRunning,
  nameOfRunning,
  noteAttached,
  type AttachedBinary,
} from "../running/registry.js";
import { askControl, type ControlAnswer } from "./askControl.js";

/** Why a process was not attached. */
export class AttachRefused extends Error {
  readonly problem: Problem;
  constructor(code: ProblemCode, message: string, help?: string) {
    super(message);
    this.problem = problem(code, "", message, help === undefined ? {} : { help });
  }
}

/** The control address that a person named: `127.0.0.1:9901`, or the same with `http://`. */
export function readControlAddress(text: string): string {
  const control = text
    .trim()
    .replace(/^http:\/\//i, "")
    .replace(/\/$/, "")
    .toLowerCase();
  if (isFixed(control)) return control;
  const shown = JSON.stringify(text);
  const [, host = "", port = ""] = /^(?:https?:\/\/)?([^/:\s]+):(\d{1,5})\/?$/i.exec(text.trim()) ?? [];
  const isElsewhere = host !== "" && !["127.0.0.1", "localhost"].includes(host.toLowerCase());
  if (isElsewhere)
    throw new AttachRefused(
      "PS890",
      `${shown} is not on this host, and binaries take no commands from other hosts`,
      `Forward its control port and attach that: ssh -N -L ${port}:127.0.0.1:${port} ${host}, then 127.0.0.1:${port}.`,
    );
  throw new AttachRefused("PS890", `${shown} is no control address`);
}

/** A control token as binaries take it: what a file of it has around it is left out. */
export function readControlToken(text: string): string {
  const token = text.trim();
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new AttachRefused(
      "PS892",
      token === ""
        ? "the control token is empty"
        : "the control token has a blank or a character that is not ASCII",
      "It is the PENSTOCK_CONTROL_TOKEN that the binary was started with.",
    );
  return token;
}

interface Asked {
  projectDir: string;
  topology: Topology;
  control: string;
  token: string;
  /** How long it may take to answer. */
  withinMs: number;
}

/** Whether something noted is at the address that was asked for. */
const isAt =
  ({ control }: Asked) =>
  (one: { control: string }): boolean =>
    portOf(one.control) === portOf(control);

/** Refuses a process that Penstock runs itself. */
async function refuseStarted(asked: Asked): Promise<void> {
  const { control } = asked;
  const started = (await listRunning()).find(isAt(asked));
  if (started !== undefined)
    throw new AttachRefused(
      "PS895",
      `at ${control} runs ${nameOfRunning(started)}, which Penstock started itself (process ${started.pid})`,
      "There is nothing to attach: its figures are there, and it can be changed.",
    );
}

/**
 * Refuses one that the project has already, else gives what it comes in place of: one that was started anew may have
 * another token, or be another binary.
 */
async function replacedBy({ binary }: LiveSchema, asked: Asked): Promise<AttachedBinary[]> {
  const there = (await listAttached(asked.projectDir)).filter(isAt(asked));
  const same = there.find((one) => one.token === asked.token && one.binary === binary);
  if (same !== undefined) throw new AttachRefused("PS895", `${nameOfRunning(same)} is attached already`);
  return there;
}

/** A control address at which something can listen: not one whose port the system is to choose. */
const isFixed = (text: string): boolean => isControlAddress(text) && portOf(text) > 0;

/** What the process may be called where it runs: its port here, or one that is drawn, which may be any text. */
const hostsOf = ({ control, topology }: Asked): string[] => [
  ...new Set([control, ...topology.binaries.map((binary) => binary.control).filter(isFixed)]),
];

/** Asks under each of its names until one is taken. */
async function askUnderItsName(asked: Asked): Promise<{ answer: ControlAnswer; host: string }> {
  const { control, token, withinMs } = asked;
  let answer: ControlAnswer = { kind: "other" };
  for (const host of hostsOf(asked)) {
    answer = await askControl({ control, host, token }, withinMs);
    if (answer.kind !== "refused" || answer.status !== 403) return { answer, host };
  }
  return { answer, host: control };
}

function schemaOf(answer: ControlAnswer, control: string): LiveSchema {
  if (answer.kind === "binary") return answer.schema;
  if (answer.kind === "silent")
    throw new AttachRefused("PS891", `nobody answers at ${control}: ${answer.reason}`);
  if (answer.kind === "refused" && answer.status === 401)
    throw new AttachRefused("PS892", `the binary at ${control} refuses the token`);
  if (answer.kind === "refused" && answer.status === 403)
    throw new AttachRefused(
      "PS890",
      `the binary at ${control} has another port where it runs`,
      "Forward its port under its own number: ssh -N -L 9901:127.0.0.1:9901 HOST, where 9901 is what its ready line says.",
    );
  throw new AttachRefused("PS893", `what answers at ${control} is no Penstock binary`);
}

function requireDrawn({ project, binary }: LiveSchema, { topology, control }: Asked): void {
  if (project !== topology.name)
    throw new AttachRefused(
      "PS894",
      `at ${control} runs ${binary} of the project ${project}, not of ${topology.name}`,
    );
  const names = topology.binaries.map(({ name }) => name);
  if (names.includes(binary)) return;
  const near = suggest(binary, names);
  throw new AttachRefused(
    "PS894",
    `at ${control} runs ${binary}, which is not drawn in ${topology.name}`,
    near === undefined ? undefined : `Was ${near} renamed? Build it and start it again under its new name.`,
  );
}

/**
 * Attaches a process that something else started, once it has said that it is a binary of this project: noted, it is
 * seen and changed as those that Penstock starts.
 * @throws {AttachRefused} nothing is noted
 */
export async function attachBinary(
  asked: Asked,
): Promise<{ entry: AttachedBinary; schema: LiveSchema; warnings: Problem[] }> {
  const { projectDir, topology, control, token } = asked;
  await refuseStarted(asked);
  const { answer, host } = await askUnderItsName(asked);
  const schema = schemaOf(answer, control);
  requireDrawn(schema, asked);
  const replaced = await replacedBy(schema, asked);
  const entry: AttachedBinary = {
    project: projectDir,
    binary: schema.binary,
    control,
    ...(host === control ? {} : { host }),
    token,
    attached: true,
  };
  await noteAttached(entry);
  await Promise.all(replaced.filter((one) => one.binary !== entry.binary).map(forgetAttached));
  const warnings =
    schema.topologyHash === topologyHash(topology)
      ? []
      : [
          problem("PS896", "", `${nameOfRunning(entry)} was made from another drawing than this one`, {
            node: `binary:${schema.binary}`,
          }),
        ];
  return { entry, schema, warnings };
}

/** Whether what answers at its address is still the binary that was attached. */
export async function isAnswering(entry: AttachedBinary, withinMs: number): Promise<boolean> {
  const answer = await askControl(entry, withinMs);
  return answer.kind === "binary" && answer.schema.binary === entry.binary;
}
