import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExampleInfo } from "../../contract/index.js";
import { Refusal } from "../../workspace/index.js";

/** As folders of projects, and words may be joined by a dash. */
const EXAMPLE_NAME = /^[a-z][a-z0-9_-]{0,63}$/;

/** The first heading of a README, which is the example's title. */
async function titleOf(folder: string, name: string): Promise<string> {
  const readme = await readFile(join(folder, "README.md"), "utf8").catch(() => "");
  return /^#\s+(.+)$/m.exec(readme)?.[1]?.trim().slice(0, 120) ?? name;
}

const docOf = (topology: string): string | undefined => {
  try {
    const { doc } = JSON.parse(topology) as { doc?: unknown };
    return typeof doc === "string" ? doc : "";
  } catch {
    return undefined;
  }
};

/** The examples that come with Penstock: each folder of `examplesDir` with a topology. */
export async function listExamples(examplesDir: string): Promise<ExampleInfo[]> {
  const names = (await readdir(examplesDir).catch(() => [])).filter((name) => EXAMPLE_NAME.test(name)).sort();
  const found = await Promise.all(
    names.map(async (name): Promise<ExampleInfo | undefined> => {
      const folder = join(examplesDir, name);
      const textOf = (file: string) => readFile(join(folder, file), "utf8").catch(() => undefined);
      const [topology, layout] = await Promise.all([textOf("topology.json"), textOf("layout.json")]);
      const doc = topology === undefined ? undefined : docOf(topology);
      if (topology === undefined || doc === undefined) return undefined;
      const title = await titleOf(folder, name);
      return { name, title, doc, topology, ...(layout === undefined ? {} : { layout }) };
    }),
  );
  return found.filter((example) => example !== undefined);
}

/** The folder of an example by name; names that are not in the list are refused. */
export async function exampleFolder(examplesDir: string, name: string): Promise<string> {
  const known = (await listExamples(examplesDir)).some((example) => example.name === name);
  if (!known) throw new Refusal("not-found", "There is no such example", "Look at the list of examples.");
  return join(examplesDir, name);
}
