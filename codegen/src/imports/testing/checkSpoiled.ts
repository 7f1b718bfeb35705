import { LIMITS, newProject, parseTopology, printTopology } from "../../model/topology/index.js";
import type { Random } from "../../model/topology/testing/random.js";
import { NotReadable, type Renamed } from "../described/described.js";
import { findAmong, type Brought } from "../findAmong.js";
import { importFiles } from "../importFiles.js";
import { addsNothing } from "../report.js";
import { spoil, type Language } from "./spoil.js";

/** What is handed to an import at once: files that import each other as they come, some of those of `real` spoiled. */
export function spoiledFiles(
  random: Random,
  language: Language,
  real: readonly Brought[],
): { files: Brought[]; chosen: Brought[] } {
  const first = random.below(real.length);
  const spoiled = new Set([first, ...random.list(2, () => random.below(real.length))]);
  const texts = real.map(({ text }) => text);
  const files = real.map((file, at) =>
    spoiled.has(at) ? { ...file, text: spoil(random, language, file.text, texts) } : file,
  );
  const asked = random.chance(0.7) ? [first] : [first, random.below(real.length)];
  return { files, chosen: [...new Set(asked)].map((at) => files[at]!) };
}

/** Words by which an error shows that nobody meant to throw it. */
const RAW =
  /undefined|null \(|NaN|not a function|not iterable|Cannot |is not defined|call stack|Invalid |object Object/;

/** What is wrong with how an import takes files: nothing where it makes a plan, or says which line of which file is at fault. */
export async function whatIsWrong(files: readonly Brought[], chosen: readonly Brought[]): Promise<string[]> {
  const sources = chosen.map((file) => ({ file: file.path, text: file.text, find: findAmong(files, file) }));
  try {
    const { topology, report } = await importFiles(newProject("taken"), sources);
    const again = await importFiles(topology, sources);
    const { messages, enums, services, bundles } = report;
    if (!addsNothing(again.report) && ![...messages, ...enums, ...services, ...bundles].some(isNumbered))
      return [`adds something once more: ${JSON.stringify(again.report)}`];
    const printed = printTopology(topology);
    const wrong =
      parseTopology(printed).topology === undefined ? ["makes a drawing that cannot be read"] : [];
    const isIn = placesOf(files);
    for (const { name, reason, file, line } of report.leftOut)
      if (name === "" || reason === "" || !isIn(file, line))
        wrong.push(`leaves out ${JSON.stringify({ name, reason, file, line })}`);
    return wrong;
  } catch (error) {
    if (!(error instanceof NotReadable))
      return [`throws ${error instanceof Error ? error.stack : String(error)}`];
    const { file, line, message } = error;
    // What it quotes of a file may be any words.
    const own = message.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gs, "");
    return placesOf(files)(file, line) && message !== "" && !RAW.test(own)
      ? []
      : [`refuses at ${file}:${line}: ${message}`];
  }
}

/** What got a number is another thing at the next import. */
const isNumbered = ({ from, to }: Renamed): boolean =>
  /\d$/.test(to) &&
  (digitsAtEnd(from) !== digitsAtEnd(to) || from.split(".").at(-1)!.length > LIMITS.nameLength);
const digitsAtEnd = (name: string): string => /\d*$/.exec(name)![0];

/** Whether a place is a line of one of the files, or of one of protobuf's own. */
function placesOf(files: readonly Brought[]): (file: string, line: number | undefined) => boolean {
  // Once a file: tens of thousands of places may be in one.
  const counts = files.map(({ path, text }) => ({ path, lines: text.split(/\r\n|\r|\n/).length }));
  return (file, line) =>
    line !== undefined &&
    line >= 1 &&
    counts.some(
      ({ path, lines }) =>
        (path === file || path.endsWith(`/${file}`) || file.endsWith(`/${path}`)) && line <= lines,
    );
}
