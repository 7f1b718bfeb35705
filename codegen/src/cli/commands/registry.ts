import { mkdirSync } from "node:fs";
import path from "node:path";
import { replaceFile } from "../../disk/index.js";
import { idlName } from "../../imports/index.js";
import { quote } from "../../model/diagnostics/index.js";
import type { Topology } from "../../model/topology/index.js";
import type { Command } from "../verb/command.js";
import { EXIT, type ExitCode } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";
import { readDrawnProject } from "../project/drawing.js";
import { projectPlace } from "../project/projectArgument.js";
import { leadOf } from "../registry/leadsTo.js";
import { listedIn, onlyRunning, openPlaces } from "../registry/listed.js";
import { objectsOf, placeOf } from "../registry/objectsOf.js";
import { NoRegistry, readRegistryFile, registryText, type RegistryObject } from "../registry/registryFile.js";
import type { Output } from "../terminal/output.js";

/** The objects of a file; undefined: there is none. */
async function objectsIn(file: string, help: string): Promise<RegistryObject[] | undefined> {
  try {
    return await readRegistryFile(file);
  } catch (error) {
    if (!(error instanceof NoRegistry)) throw error;
    throw new Failure(EXIT.failed, "PS999", `${file} ${error.message}`, help);
  }
}

/** Prints the project's objects, or writes them beside those of other modules. */
async function write(
  topology: Topology,
  {
    dir,
    file,
    isRunning,
    output,
  }: { dir: string; file: string | undefined; isRunning: boolean; output: Output },
): Promise<ExitCode> {
  const drawn = await listedIn(topology);
  const listed = isRunning ? await onlyRunning(dir, drawn) : drawn;
  const objects = objectsOf(topology, listed);
  for (const { binary, why } of listed)
    if (why !== undefined) output.note(`${binary.name} is not in it: ${why}.`);
  if (file === undefined) {
    output.document({ ok: true, problems: [], objects });
    output.result(registryText(objects).trimEnd());
    return EXIT.done;
  }
  const there = await objectsIn(file, "Nothing is changed. Name another file, or remove this one.");
  const others = (there ?? []).filter(({ module }) => module !== topology.name);
  const names = new Set(others.map(({ name }) => name));
  const written = [...others, ...objects.filter(({ name }) => !names.has(name))];
  for (const { name } of objects)
    if (names.has(name)) output.note(`${name} is an object of another module there, and stays that.`);
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  await replaceFile(path.resolve(file), registryText(written));
  output.document({ ok: true, problems: [], objects: written });
  output.note(
    `Wrote ${file}: ${written.length - others.length} of ${topology.name}, ${others.length} of other modules.`,
  );
  return EXIT.done;
}

/** Shows where the objects of a file lead in the drawing. */
async function show(topology: Topology, dir: string, file: string, output: Output): Promise<ExitCode> {
  const objects = await objectsIn(file, 'It is JSON with a list "objects": `penstock registry` prints one.');
  if (objects === undefined) throw usageFailure(`there is no file ${file}`, "Name a file that is there.");
  const shown = await Promise.all(
    objects.map(async (object) => {
      const lead = leadOf(topology, object, idlName);
      const binary = topology.binaries.find(({ name }) => name === lead.binaries[0]);
      const place = placeOf(object, binary);
      const listens = (await openPlaces(dir, binary?.name ?? "", [place])).has(place);
      return { ...object, ...lead, listens };
    }),
  );
  output.document({ ok: true, problems: [], objects: shown });
  for (const { name, module, class: of, ip, port, bundle, services, binaries, listens } of shown) {
    const type = [module, of].filter(Boolean).join("::");
    const leads =
      bundle === null
        ? "leads to no bundle of the drawing"
        : binaries.length === 0
          ? `leads to ${bundle}, which no binary has`
          : `leads to ${binaries.join(" or ")} (${services.join(", ")})`;
    output.result(`${name}, a ${type}, ${leads}`);
    output.result(
      `  at ${ip} port ${port}${listens ? ", where somebody listens" : ", where nobody listens on this host"}`,
    );
  }
  if (shown.length === 0) output.note(`${quote(file)} lists no object.`);
  return EXIT.done;
}

/** `penstock registry`: FORB's registry, written and read. */
export const command: Command = {
  usage: "[PROJECT] [--write FILE | --read FILE] [--running]",
  doc: `Prints where the binaries of a project can be called as FORB's registry: an object for each bundle of each
process, with its module (the project), its class (the bundle), ip and port. A binary without an address of
the network is in none. What is written is also a file for \`discovery\`.`,
  positionals: { min: 0, max: 1 },
  options: {
    write: {
      type: "string",
      value: "FILE",
      doc: "write it there, and keep the objects of other modules in it",
    },
    read: { type: "string", value: "FILE", doc: "say where the objects of a file lead instead" },
    running: { type: "boolean", doc: "only where somebody listens on this host now" },
  },
  examples: [
    "penstock registry ads",
    "penstock registry ads --write db.json",
    "penstock registry ads --read db.json",
  ],
  async run({ positionals, flag, value, output }) {
    const [read, file, isRunning] = [value("read"), value("write"), flag("running")];
    if (read !== undefined && (file !== undefined || isRunning))
      throw usageFailure("--read goes with neither --write nor --running", "Read a file, or write one.");
    const { dir } = projectPlace(positionals[0]);
    const topology = await readDrawnProject(dir);
    if (read !== undefined) return show(topology, dir, read, output);
    return write(topology, { dir, file, isRunning, output });
  },
};
