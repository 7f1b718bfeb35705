import { askControl, doorsOf, type AttachedBinary } from "../../run/index.js";
import { patiently } from "../verb/patience.js";

/** So long it may take to say which process it is. */
const ANSWER_MS = 2_000;

/**
 * Which process of this host an attached one is; undefined where it is on another one, behind a forwarded port, or
 * another user's.
 */
export async function pidHere(entry: AttachedBinary): Promise<number | undefined> {
  const answer = await askControl(entry, patiently(ANSWER_MS));
  if (answer.kind !== "binary") return undefined;
  const { pid } = answer.schema;
  // What forwards a port holds it, and the number is that of a process over there.
  const control = { name: entry.binary, listen: [`tcp://${entry.control}`] };
  const [door] = await doorsOf(entry.project, control, [pid]);
  return door?.pid === pid ? pid : undefined;
}
