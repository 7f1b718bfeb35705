import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os, { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { cacheFolder } from "../setup/cache-folder.mjs";
import { run } from "../setup/child.mjs";
import { contentHash } from "../setup/content-hash.mjs";
import { toolsHash } from "./stamps.mjs";
import { broken, outcome } from "./tally.mjs";

/**
 * The name of a clean result, which is kept for all clones: by the content of everything a file may include, what it is
 * compiled with, and the tools. Only changes are looked at again. Nothing in it hangs on where the clone or the project
 * (`places`) lies.
 */
export function keptName(salt, { files, command }, places) {
  const placeless = (text) =>
    Object.entries(places).reduce((said, [name, place]) => said.replaceAll(place, name), text);
  const key = createHash("sha256").update(salt).update(placeless(command));
  for (const file of files) key.update(`\0${placeless(file)}\0`).update(readFileSync(file));
  return key.digest("hex");
}

/** Looks at `units`, each a source with the `files` that it counts for; `said` words a line of what was found. */
async function tidyUnits({ root, database, units, salt, places }, progress) {
  const tools = toolsHash();
  const waiting = [...units];
  const failures = [];
  let passed = 0;
  let failed = 0;
  const worker = async () => {
    for (let unit = waiting.shift(); unit !== undefined; unit = waiting.shift()) {
      const { source, files, said = (line) => line } = unit;
      const kept = path.join(cacheFolder("tidy"), keptName(tools + salt, unit, places));
      if (!existsSync(kept)) {
        progress(`${units.length - waiting.length}/${units.length} ${path.basename(source)}`);
        const { code, tail } = await run(
          "clang-tidy-16",
          [
            "-p",
            database,
            "--quiet",
            `--config-file=${path.join(root, ".clang-tidy")}`,
            "--extra-arg=-Wno-unknown-warning-option",
            source,
          ],
          { cwd: root },
        );
        if (code !== 0) {
          const told = tail.filter((line) => !/warnings? generated|Suppressed/.test(line)).map(said);
          failures.push(`${source}\n${told.join("\n")}`);
          failed += files.length;
          continue;
        }
        mkdirSync(cacheFolder("tidy"), { recursive: true });
        writeFileSync(kept, "");
      }
      passed += files.length;
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  return outcome(passed, failed, failures.join("\n\n"));
}

/** Entries of a compilation database, one for each wanted file. */
const compiled = (database, wanted) => [
  ...new Map(
    JSON.parse(readFileSync(path.join(database, "compile_commands.json"), "utf8"))
      .filter(({ file }) => wanted(file))
      .map((entry) => [entry.file, entry]),
  ).values(),
];

/**
 * One unit for the files of a folder that are compiled in the same way: half of the time goes into headers, which
 * are then looked at once for all of them. The sources stand in it one after the other: into what a source
 * includes, Clang's analyzer does not follow a path.
 */
export function unitsByFolder(folder, entries) {
  const groups = new Map();
  for (const { file, command, directory } of entries) {
    const flags = command.replace(/ -o \S+/, "").replaceAll(file, "FILE");
    const key = `${path.dirname(file)} ${flags}`;
    const group = groups.get(key) ?? { files: [], flags, directory };
    group.files.push(file);
    groups.set(key, group);
  }
  mkdirSync(folder, { recursive: true });
  const units = [...groups.values()].map(({ files, flags, directory }, index) => {
    const source = path.join(folder, `${path.basename(path.dirname(files[0]))}-${index}.cpp`);
    files.sort();
    const texts = files.map((file) => readFileSync(file, "utf8").replace(/\n?$/, "\n"));
    writeFileSync(source, texts.join(""));
    return {
      source,
      files,
      directory,
      // What a source includes from beside itself is found there.
      command: `${flags.replaceAll("FILE", source)} -iquote ${path.dirname(files[0])}`,
      placed: placesOf(files, texts),
    };
  });
  writeFileSync(
    path.join(folder, "compile_commands.json"),
    JSON.stringify(units.map(({ source, directory, command }) => ({ directory, command, file: source }))),
  );
  return units.map(({ source, files, command, placed }) => ({
    source,
    files,
    command,
    said: (line) =>
      line.startsWith(`${source}:`)
        ? line.slice(source.length).replace(/^:(\d+)/, (_, at) => placed(Number(at)))
        : line,
  }));
}

/** Where a line of these texts, one after the other, stands in its file. */
function placesOf(files, texts) {
  const lengths = texts.map((text) => text.split("\n").length - 1);
  return (line) => {
    let before = 0;
    let index = 0;
    while (index < files.length - 1 && line > before + lengths[index]) before += lengths[index++];
    return `${files[index]}:${line - before}`;
  };
}

/** What clang-tidy is told, and the headers below a folder: those that what it looks at may include. */
export const configHash = (root, headers) =>
  contentHash(root, [".clang-tidy", headers], (file) => /\.hpp$|\.clang-tidy$/.test(file));

/** The runtime's own sources, tests aside, as the dev preset compiles them. */
export async function tidyRuntime(root, progress) {
  // Configured on its own: what is built may have a room as one file.
  const database = path.join(root, "build", "tidy", "database");
  const configure = ["--preset", "dev", "-B", database, "-DPENSTOCK_TESTS=OFF"];
  const { code, tail } = await run("cmake", configure, { cwd: path.join(root, "runtime-cpp") });
  if (code !== 0) return broken("cmake --preset dev failed", tail);
  const entries = compiled(
    database,
    (file) =>
      file.includes("/runtime-cpp/penstock/") &&
      !/\.(test|bench|stress|model|counted|world)\.cpp$/.test(file),
  );
  if (entries.length === 0) return broken("no runtime source was found to look at", []);
  const folder = path.join(root, "build", "tidy");
  const units = unitsByFolder(folder, entries);
  const looked = {
    root,
    database: folder,
    units,
    salt: configHash(root, "runtime-cpp"),
    places: { CLONE: root },
  };
  return tidyUnits(looked, progress);
}

/** A project as it is generated from the ads example, with its main, messages and handlers. */
export async function tidyGenerated(root, progress) {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-tidy-"));
  try {
    const project = path.join(folder, "ads");
    const bin = path.join(root, "codegen", "bin", "penstock.mjs");
    const database = path.join(folder, "build");
    const prefix = path.join(root, "build", "runtime", "release", "prefix");
    for (const [command, ...args] of [
      [process.execPath, bin, "init", project, "--example", "ads"],
      [process.execPath, bin, "generate", project],
      [
        "cmake",
        "-S",
        project,
        "-B",
        database,
        "-G",
        "Ninja",
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        `-DCMAKE_PREFIX_PATH=${prefix}`,
      ],
    ]) {
      const { code, tail } = await run(command, args, { cwd: folder });
      if (code !== 0) return broken(`${command} ${args.join(" ")} failed`, tail);
    }
    const entries = compiled(database, (file) => /\/(generated|src)\//.test(file));
    if (entries.length === 0) return broken("the generated project compiles no file", []);
    const units = path.join(folder, "units");
    // Not those of the runtime's tests, which it cannot see.
    const salt = configHash(root, "runtime-cpp/penstock") + contentHash(project, ["generated", "src"]);
    const places = { UNITS: folder, CLONE: root };
    const looked = { root, database: units, units: unitsByFolder(units, entries), salt, places };
    return await tidyUnits(looked, progress);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
