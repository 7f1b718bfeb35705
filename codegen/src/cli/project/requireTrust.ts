import { existsSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { readSmall } from "../../disk/index.js";
import { examplesDir } from "../../installation/index.js";
import { LARGEST_DRAWING, parseTopology } from "../../model/topology/index.js";
import { TrustList } from "../../workspace/index.js";
import type { Invocation, OptionSpec } from "../verb/command.js";
import { EXIT, type ExitCode } from "../verb/exitCode.js";
import { Failure } from "../verb/failure.js";
import { mayAsk, saysYes } from "../terminal/ask.js";

/** Of verbs that compile or run what a project holds. */
export const TRUST_OPTION: Readonly<Record<"trust", OptionSpec>> = {
  trust: {
    type: "boolean",
    doc: "say yes to a project that came from elsewhere: its code is compiled and run",
  },
};

const CODE = /\.(?:c|cc|cpp|cxx|h|hpp|hxx|inl|cmake|hbs|py|sh)$|^CMake(?:Lists\.txt|Presets\.json)$/;
const MOST_FILES = 10_000;

/** Files that a build reads as code, not counting what Penstock and CMake write; links are not followed. */
function codeFiles(dir: string): number {
  let count = 0;
  const folders = [dir];
  for (let folder = folders.pop(); folder !== undefined && count < MOST_FILES; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isFile() && CODE.test(entry.name)) count += 1;
      const own = folder !== dir || !["build", "generated", ".git"].includes(entry.name);
      if (entry.isDirectory() && own) folders.push(path.join(folder, entry.name));
    }
  }
  return count;
}

const some = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;

/** What a person is told of it before the answer. */
function contents(dir: string): string {
  const { topology } = parseTopology(readSmall(path.join(dir, "topology.json"), LARGEST_DRAWING) ?? "");
  const drawn =
    topology === undefined
      ? ["a drawing that cannot be read"]
      : [
          some(topology.services.length, "service", "services"),
          some(topology.flows.length, "flow", "flows"),
          some(topology.binaries.length, "binary", "binaries"),
        ];
  const own = ["nodes", "sources"].flatMap((what) =>
    existsSync(path.join(dir, what)) ? [`${what} of its own`] : [],
  );
  const files = codeFiles(dir);
  const code = `${files >= MOST_FILES ? "more than " : ""}${some(files, "file", "files")} of code`;
  return [...drawn, ...own, code].join(", ");
}

const refusal = (dir: string, exit: ExitCode = EXIT.untrusted): Failure =>
  new Failure(
    exit,
    "PS995",
    `${dir} came from elsewhere and is not trusted yet: ${contents(dir)}`,
    "Look at what it holds; building and running it executes its code. Then give --trust, or answer y on a terminal.",
  );

/** The examples came with this very code. */
const isExample = (root: string): boolean =>
  existsSync(examplesDir) && path.dirname(root) === realpathSync(examplesDir);

/** Whether a project was made here; what came from elsewhere gets a fence. @param projectDir a real path */
export const isOwnProject = async (projectDir: string): Promise<boolean> =>
  isExample(projectDir) || (await TrustList.ofProject(projectDir)).isOwn(projectDir);

/**
 * Asks, once for each project that was not made here, before its code is compiled or run; what the designer's
 * server was told counts, and the other way around. Gives whether it was made here: it runs without a fence.
 * @throws {Failure} when nobody says yes
 */
export async function requireTrust(projectDir: string, invocation: Invocation): Promise<{ own: boolean }> {
  const { flag, output, signal } = invocation;
  const root = realpathSync(projectDir);
  if (isExample(root)) return { own: true };
  const list = await TrustList.ofProject(root);
  if (await list.isTrusted(root)) return { own: await list.isOwn(root) };
  if (!flag("trust")) {
    if (!mayAsk(output)) throw refusal(root);
    output.note(`${root} came from elsewhere. It holds ${contents(root)}.`);
    output.note("Building compiles its code and running executes it, on this machine and as you.");
    if (!(await saysYes("Do you trust it? [y/N]", output, signal)))
      throw refusal(root, signal.aborted ? EXIT.interrupted : EXIT.untrusted);
  }
  await list.add(root, false);
  return { own: false };
}
