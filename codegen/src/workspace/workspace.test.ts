import { execFileSync, spawn } from "node:child_process";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  printTopology,
  parseTopology,
  topologyHash,
  type Layout,
  type Topology,
} from "../model/topology/index.js";
import { STRUCTS_TO_MESSAGES } from "../model/topology/testing/oldFormat.js";
import { validateTopology } from "../model/validate/index.js";
import { readPlain, takeLock } from "../disk/index.js";
import type { TopologyFormat } from "./drawing/drawing.js";
import { fileIdOf, projectIdOf } from "./projectId.js";
import { Refusal } from "./drawing/refusal.js";
import { REVISIONS_KEPT } from "./drawing/revisions.js";
import { placeOf } from "./drawing/saveDrawing.js";
import { readPendingRenames } from "./kept/pendingRenames.js";
import { readSource, writeSource } from "./sourceFiles.js";
import { rememberSaved } from "./drawing/savedStamp.js";
import { Workspace } from "./workspace.js";

const format: TopologyFormat = {
  parse: parseTopology,
  print: printTopology,
  validate: validateTopology,
  hash: topologyHash,
  version: 1,
};

let root: string;
let folder: string;
let workspace: Workspace;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "penstock-workspace-"));
  process.env["XDG_STATE_HOME"] = join(root, "state");
  folder = join(root, "workspace");
  workspace = await Workspace.open(folder, format);
});
afterEach(async () => {
  await workspace.close();
  await rm(root, { recursive: true, force: true });
});

const asRoot = process.getuid?.() === 0;
const refusal = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    () => Promise.reject(new Error("was not refused")),
    (error: unknown) => (error instanceof Refusal ? error : Promise.reject(error as Error)),
  );
const withDoc = (text: string, doc: string): string =>
  printTopology({ ...(parseTopology(text).topology as Topology), doc });

async function made(name = "mine"): Promise<{ id: string; path: string }> {
  const { id } = await workspace.create(name);
  return { id, path: join(folder, name) };
}

/** A file system of the test's own, or null where that is not allowed. */
function mountTmpfs(at: string, size: string): (() => void) | null {
  if (!asRoot) return null;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", at], { stdio: "ignore" });
  } catch {
    return null;
  }
  return () => void execFileSync("umount", ["-l", at], { stdio: "ignore" });
}

test("row 7: a full disk is named, the old file stays, and saving works again when there is space", async () => {
  const small = join(root, "small");
  await mkdir(small);
  const unmount = mountTmpfs(small, "256k");
  const filler = join(small, "filler");
  const tight = await Workspace.open(small, format);
  try {
    const { id } = await tight.create("mine");
    const before = await tight.document(id);
    const body = { topology: withDoc(before.topology, "x".repeat(4000)), layout: before.layout };
    // Who may not mount sees the other refusal of the file system; the steps are tested in saveDrawing.test.
    if (unmount) execFileSync("sh", ["-c", `cat /dev/zero > ${filler} || true`], { stdio: "ignore" });
    else await chmod(join(small, "mine"), 0o555);
    const refused = await refusal(tight.save(id, before.revision, body));
    expect(refused.message).toBe(
      unmount ? "Not saved: disk full" : "Not saved: the workspace cannot be written",
    );
    expect((await tight.document(id)).revision).toBe(before.revision);
    await rm(filler, { force: true });
    await chmod(join(small, "mine"), 0o755);
    const saved = await tight.save(id, before.revision, body);
    expect((await tight.document(id)).revision).toBe(saved.revision);
  } finally {
    await tight.close();
    unmount?.();
  }
});

test("saves no rename that it cannot note: the files that are to follow it would be lost", async () => {
  const { id, path } = await made();
  const first = await workspace.document(id);
  const [place, topology] = [placeOf(path), parseTopology(first.topology).topology as Topology];
  const changed = { ...topology, name: "changed" };
  const drawn = printTopology(changed);
  const renames = [{ kind: "service" as const, from: "Echo", to: "Parrot" }];
  const save = () => workspace.save(id, first.revision, { topology: drawn, layout: first.layout, renames });
  await mkdir(join(place.records, "renames.json"), { recursive: true });
  await expect(save()).rejects.toThrow();
  expect((await workspace.document(id)).revision).toBe(first.revision);

  await rm(join(place.records, "renames.json"), { recursive: true });
  await rm(join(place.records, "revisions"), { recursive: true, force: true });
  await writeFile(join(place.records, "revisions"), "in the way of the drawing");
  await expect(save()).rejects.toThrow();
  expect((await readPendingRenames(place, "of another drawing")).renames).toEqual([]);

  await rm(join(place.records, "revisions"));
  await save();
  expect((await readPendingRenames(place, topologyHash(topology))).renames).toEqual([]);
  const after = topologyHash(parseTopology(drawn).topology as Topology);
  expect((await readPendingRenames(place, after)).renames).toMatchObject(renames);
});

test("row 9: a read-only workspace is opened, says so, and saves nothing", async () => {
  const { path } = await made();
  await workspace.close();
  const text = await readFile(join(path, "topology.json"), "utf8");
  if (asRoot) execFileSync("mount", ["--bind", folder, folder]);
  try {
    if (asRoot) execFileSync("mount", ["-o", "remount,bind,ro", folder]);
    else await chmod(folder, 0o555);
    const reader = await Workspace.open(folder, format);
    expect(reader.writable).toBe(false);
    const document = await reader.document(projectIdOf("mine"));
    expect(document.readOnly).toBe(true);
    expect(document.readOnlyReason).toBe("read-only workspace");
    const refused = await refusal(
      reader.save(document.id, document.revision, { topology: text, layout: document.layout }),
    );
    expect(refused.code).toBe("read-only");
    expect((await refusal(reader.create("other"))).code).toBe("read-only");
    await reader.close();
  } finally {
    if (asRoot) execFileSync("umount", ["-l", folder]);
    else await chmod(folder, 0o755);
  }
  workspace = await Workspace.open(folder, format);
});

describe("row 10: a bit flip in a project file", () => {
  test("row 10: in topology.json is named and earlier revisions are offered", async () => {
    const file = "topology.json";
    const { id, path } = await made();
    const first = await workspace.document(id);
    const saved = await workspace.save(id, first.revision, {
      topology: withDoc(first.topology, "a text"),
      layout: { penstock: 1, nodes: { "service:A": { x: 1, y: 2 } } },
    });
    const bytes = await readFile(join(path, file));
    bytes[bytes.indexOf(0x7b)] = 0x7b ^ 0x40;
    await writeFile(join(path, file), bytes);
    const refused = await refusal(workspace.document(id));
    expect(refused.code).toBe("damaged");
    expect(refused.message).toContain(file);
    const { revision, revisions, ...where } = refused.extra as {
      revision: string;
      revisions: { revision: string }[];
    };
    expect(where).toEqual({ file, path: join(path, file) });
    expect(revisions.map((entry) => entry.revision)).toContain(saved.revision);
    const earlier = await workspace.revision(id, saved.revision);
    const restored = await workspace.save(id, revision, {
      topology: earlier.topology,
      layout: earlier.layout,
    });
    expect(restored.revision).toBe(saved.revision);
    expect((await workspace.document(id)).topology).toContain("a text");
  });

  test("row 10: in layout.json is named, and the project opens all the same", async () => {
    const { id, path } = await made();
    const first = await workspace.document(id);
    const layout: Layout = { penstock: 1, nodes: { "service:A": { x: 1, y: 2 } } };
    await workspace.save(id, first.revision, { topology: first.topology, layout });
    const file = join(path, "layout.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("{", ";"));
    const opened = await workspace.document(id);
    expect(opened.layoutProblems).toMatchObject([{ code: "PS140", severity: "warning" }]);
    await workspace.save(id, opened.revision, { topology: opened.topology, layout });
    expect(await readFile(file, "utf8")).toBe(text);
    expect((await workspace.document(id)).layoutProblems).toBeUndefined();
  });

  test.each<[string, (file: string) => Promise<unknown>]>([
    ["no JSON", (file) => writeFile(file, "nonsense")],
    ["of another shape", (file) => writeFile(file, '{ "penstock": 1, "nodes": [], "zoom": 2 }')],
    ["no text", (file) => writeFile(file, Buffer.from([0xff, 0xfe, 0x00]))],
    ["too large", (file) => truncate(file, 5_000_001)],
    ["a link", (file) => rm(file).then(() => symlink("/etc/passwd", file))],
    ["a folder", (file) => rm(file).then(() => mkdir(file))],
  ])("a layout that is %s keeps no project closed", async (_what, spoil) => {
    const { id, path } = await made();
    await spoil(join(path, "layout.json"));
    const opened = await workspace.document(id);
    expect(opened.layout.nodes).toEqual({});
    expect(opened.layoutProblems).toMatchObject([{ code: "PS140", severity: "warning" }]);
    expect(opened.layoutProblems?.[0]?.message).toMatch(/^layout\.json/);
  });

  test("row 10: that still reads as a drawing is noticed by the untouched time of the file", async () => {
    const { id, path } = await made();
    const first = await workspace.document(id);
    const file = join(path, "topology.json");
    // utimes sets whole milliseconds only: the file gets such a time before it is remembered.
    await workspace.save(id, first.revision, {
      topology: withDoc(first.topology, "aaaa"),
      layout: first.layout,
    });
    await utimes(file, 1_700_000_000, 1_700_000_000);
    await rememberSaved(
      { root: path, records: join(folder, ".penstock", "projects", "mine") },
      await readFile(file, "utf8"),
      await readFile(join(path, "layout.json"), "utf8"),
    );
    const before = await stat(file);
    await writeFile(file, (await readFile(file, "utf8")).replace("aaaa", "aaia"));
    await utimes(file, before.atimeMs / 1000, before.mtimeMs / 1000);
    expect((await refusal(workspace.document(id))).code).toBe("damaged");
  });

  test("row 10: in a kept revision hides that one only", async () => {
    const { id } = await made();
    const first = await workspace.document(id);
    const saved = await workspace.save(id, first.revision, {
      topology: withDoc(first.topology, "x"),
      layout: first.layout,
    });
    const records = join(folder, ".penstock", "projects", "mine", "revisions");
    const names = (await import("node:fs")).readdirSync(records);
    const file = join(records, names.find((name) => name.includes(saved.revision)) ?? "");
    await writeFile(file, (await readFile(file, "utf8")).replace('\\"doc\\"', '\\"dov\\"'));
    expect((await refusal(workspace.revision(id, saved.revision))).code).toBe("not-found");
    expect((await workspace.revision(id, first.revision)).topology).toBe(first.topology);
  });
});

describe("row 70: symbolic links", () => {
  test("row 70: as topology.json, as the project, or as a folder in it are not followed", async () => {
    const { id, path } = await made();
    await rm(join(path, "topology.json"));
    await symlink("/etc/passwd", join(path, "topology.json"));
    expect((await refusal(workspace.document(id))).code).toBe("outside");
    await symlink("/etc", join(folder, "linked"));
    expect((await workspace.list()).map(({ name }) => name)).not.toContain("linked");
    expect((await refusal(workspace.document(projectIdOf("linked")))).code).toBe("not-found");
  });

  test("row 70: in the way of a source file stop reading and writing, and nothing outside changes", async () => {
    const { path } = await made();
    const outside = join(root, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "a.cpp"), "secret");
    await symlink(outside, join(path, "src"));
    await symlink(join(outside, "a.cpp"), join(path, "b.cpp"));
    for (const name of ["src/a.cpp", "b.cpp"]) {
      const file = { id: fileIdOf(name), path: name, node: "", owner: "user" as const, written: true };
      expect((await refusal(readSource(path, file))).code).toBe("outside");
      expect((await refusal(writeSource(path, file, "mine", "0"))).code).toBe("outside");
    }
    expect(await readFile(join(outside, "a.cpp"), "utf8")).toBe("secret");
  });

  test("row 70: put in the place of a folder while a file in it is saved leads nowhere", async () => {
    const { path } = await made();
    const outside = join(root, "outside");
    await mkdir(outside);
    await mkdir(join(path, "src"));
    await writeFile(join(outside, "a.cpp"), "secret");
    await writeFile(join(path, "src", "a.cpp"), "before", { mode: 0o640 });
    const file = {
      id: fileIdOf("src/a.cpp"),
      path: "src/a.cpp",
      node: "",
      owner: "user" as const,
      written: true,
    };
    const { hash } = await readSource(path, file);
    let swapped = false;
    const swap = (): void => {
      if (swapped) return;
      swapped = true;
      renameSync(join(path, "src"), join(path, "aside"));
      symlinkSync(outside, join(path, "src"));
    };
    await writeSource(path, file, "mine", hash, swap);
    expect(swapped).toBe(true);
    expect(await readdir(outside)).toEqual(["a.cpp"]);
    expect(await readFile(join(outside, "a.cpp"), "utf8")).toBe("secret");
    expect(await readFile(join(path, "aside", "a.cpp"), "utf8")).toBe("mine");
    expect((await stat(join(path, "aside", "a.cpp"))).mode & 0o777).toBe(0o640);
  });

  test("row 70: a FIFO or folder with a file's name is refused without waiting", async () => {
    const { path } = await made();
    execFileSync("mkfifo", [join(path, "pipe")]);
    await expect(readPlain(path, "pipe", 10)).rejects.toThrow("not a plain file");
    await mkdir(join(path, "folder"));
    await expect(readPlain(path, "folder", 10)).rejects.toThrow("not a plain file");
  });
});

test("row 71: a save over another's save is refused with their version, and nothing is lost", async () => {
  const { id } = await made();
  const start = await workspace.document(id);
  const theirs = await workspace.save(id, start.revision, {
    topology: withDoc(start.topology, "theirs"),
    layout: start.layout,
  });
  const refused = await refusal(
    workspace.save(id, start.revision, { topology: withDoc(start.topology, "mine"), layout: start.layout }),
  );
  expect(refused.code).toBe("conflict");
  const { current } = refused.extra as { current: { revision: string; topology: string } };
  expect(current.revision).toBe(theirs.revision);
  expect(current.topology).toContain("theirs");
  const mine = await workspace.save(id, current.revision, {
    topology: withDoc(start.topology, "mine"),
    layout: start.layout,
  });
  // That of before the first save, too: a binary may run that is made of it.
  expect((await workspace.revisions(id)).map(({ revision }) => revision)).toEqual([
    mine.revision,
    theirs.revision,
    start.revision,
  ]);
  expect((await workspace.revision(id, start.revision)).topology).toBe(start.topology);
});

test("row 71: what is written outside while a save is under way stays, and the save is refused with it", async () => {
  const { id, path } = await made();
  const [start, place] = [await workspace.document(id), placeOf(path)];
  const [mine, theirs] = [withDoc(start.topology, "mine"), withDoc(start.topology, "theirs")];
  await mkdir(place.records, { recursive: true });
  const lock = await takeLock(join(place.records, "renames.lock"), "somebody else's renames");
  const renames = [{ kind: "service" as const, from: "Echo", to: "Parrot" }];
  const refused = refusal(
    workspace.save(id, start.revision, { topology: mine, layout: start.layout, renames }),
  );
  // What the save replaces is kept once it has been compared; then come the renames.
  await expect.poll(() => workspace.revisions(id)).toHaveLength(1);
  await writeFile(join(path, "topology.json"), theirs);
  await lock.release();

  const { code, extra } = await refused;
  expect([code, extra]).toMatchObject(["conflict", { current: { topology: theirs } }]);
  expect(await readFile(join(path, "topology.json"), "utf8")).toBe(theirs);
  expect((await workspace.revisions(id)).map(({ revision }) => revision)).toEqual([start.revision]);
  expect((await readPendingRenames(place, "of another drawing")).renames).toEqual([]);
});

test("what is written into a source file, or its place, while it is saved stays", async () => {
  const { path } = await made();
  const [at, elsewhere] = [join(path, "a.cpp"), join(path, "b.cpp")];
  const file = { id: fileIdOf("a.cpp"), path: "a.cpp", node: "", owner: "user" as const, written: true };
  await writeFile(at, "before");
  const { hash } = await readSource(path, file);
  const saving = (meanwhile: () => void): Promise<Refusal> => {
    let isDone = false;
    const onStep = (step: string): void => {
      if (isDone || !step.startsWith("sync")) return;
      isDone = true;
      meanwhile();
    };
    return refusal(writeSource(path, file, "mine", hash, onStep));
  };
  const refused = await saving(() => writeFileSync(at, "theirs"));
  expect([refused.code, refused.extra]).toMatchObject(["conflict", { current: { text: "theirs" } }]);
  expect(await readFile(at, "utf8")).toBe("theirs");

  await writeFile(at, "before");
  expect((await saving(() => renameSync(at, elsewhere))).code).toBe("not-found");
  expect((await readdir(path)).filter((name) => name.startsWith("a.cpp"))).toEqual([]);
  expect(await readFile(elsewhere, "utf8")).toBe("before");
});

test.each(["older than the last save", "in the future"])(
  "row 71: what was written outside, its time %s, stays in the revisions when a save replaces it",
  async (time) => {
    const { id, path } = await made();
    const [start, file] = [await workspace.document(id), join(path, "topology.json")];
    const write = (doc: string, revision: string) =>
      workspace.save(id, revision, { topology: withDoc(start.topology, doc), layout: start.layout });
    const first = await write("first", start.revision);
    await writeFile(file, withDoc(start.topology, "theirs"));
    const seconds = time === "in the future" ? 32_000_000_000 : 1_700_000_000;
    await utimes(file, seconds, seconds);
    const refused = await refusal(write("mine", first.revision));
    const { current } = refused.extra as { current: { revision: string; topology: string } };
    const mine = await write("mine", current.revision);
    expect((await workspace.revisions(id)).map(({ revision }) => revision)).toEqual([
      mine.revision,
      current.revision,
      first.revision,
      start.revision,
    ]);
    expect((await workspace.revision(id, current.revision)).topology).toContain("theirs");
  },
);

test("row 71: what git brings back stays in the revisions when a save replaces it, though it was the oldest", async () => {
  const { id, path } = await made();
  const start = await workspace.document(id);
  let { revision } = start;
  const write = async (doc: string): Promise<void> => {
    const topology = withDoc(start.topology, doc);
    ({ revision } = await workspace.save(id, revision, { topology, layout: start.layout }));
  };
  for (let save = 1; save < REVISIONS_KEPT; save++) await write(`save ${save}`);
  await writeFile(join(path, "topology.json"), start.topology);
  ({ revision } = start);
  await write("the last one");
  expect((await workspace.revisions(id)).map((kept) => kept.revision).slice(0, 2)).toEqual([
    revision,
    start.revision,
  ]);
});

test("row 71: of many saves at once exactly one wins", async () => {
  const { id } = await made();
  const start = await workspace.document(id);
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      workspace.save(id, start.revision, {
        topology: withDoc(start.topology, `writer ${index}`),
        layout: start.layout,
      }),
    ),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

describe("row 72: two servers on one workspace", () => {
  test("row 72: the second is refused and names the first one's pid", async () => {
    await expect(Workspace.open(folder, format)).rejects.toMatchObject({
      code: "EWORKSPACELOCKED",
      pid: process.pid,
    });
    await expect(Workspace.open(folder, format)).rejects.toThrow(`process ${process.pid}`);
  });

  test("row 72: a lock whose process is gone is taken over, also by only one of many", async () => {
    await workspace.close();
    const child = spawn(process.execPath, ["-e", ""]);
    await new Promise((resolve) => child.once("exit", resolve));
    const stale = JSON.stringify({ pid: child.pid, startTime: "1", what: "Penstock server" });
    await writeFile(join(folder, ".penstock", "lock"), stale);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => Workspace.open(folder, format)));
    const opened = results.filter((result) => result.status === "fulfilled");
    expect(opened).toHaveLength(1);
    workspace = (opened[0] as PromiseFulfilledResult<Workspace>).value;
  });

  test("row 72: a pid that was given to another process since is no holder", async () => {
    await workspace.close();
    const other = JSON.stringify({ pid: process.pid, startTime: "1", what: "Penstock server" });
    await writeFile(join(folder, ".penstock", "lock"), other);
    workspace = await Workspace.open(folder, format);
    expect(await workspace.list()).toEqual([]);
  });
});

test("row 75: an older format is migrated and the original is kept beside it", async () => {
  await workspace.close();
  const parse = (text: string) => parseTopology(text, [STRUCTS_TO_MESSAGES]);
  workspace = await Workspace.open(folder, { ...format, parse });
  const { id, path } = await made();
  const old = '{"penstock": 0, "name": "mine", "structs": [{"name": "M"}]}';
  await writeFile(join(path, "topology.json"), old);
  const document = await workspace.document(id);
  expect(document.migratedFrom).toBe(0);
  expect(document.folder).toBe(basename(path));
  expect(document.readOnly).toBe(false);
  expect(JSON.parse(document.topology)).toMatchObject({ penstock: 1, messages: [{ name: "M" }] });
  expect(await readFile(join(path, "topology.v0.json"), "utf8")).toBe(old);
  const again = await workspace.document(id);
  expect(again.migratedFrom).toBeUndefined();
  expect(again.revision).toBe(document.revision);
});

test("row 76: a newer format is shown read-only, made by a newer version, and never written", async () => {
  const { id, path } = await made();
  const newer = '{"penstock": 99, "name": "mine", "hologram": true}\n';
  await writeFile(join(path, "topology.json"), newer);
  const document = await workspace.document(id);
  expect(document).toMatchObject({
    readOnly: true,
    readOnlyReason: "made by a newer version",
    topology: newer,
  });
  const good = printTopology(parseTopology('{"penstock":1,"name":"mine"}').topology as Topology);
  const refused = await refusal(
    workspace.save(id, document.revision, { topology: good, layout: document.layout }),
  );
  expect(refused.code).toBe("read-only");
  expect(await readFile(join(path, "topology.json"), "utf8")).toBe(newer);
});

test("should list a project by whatever name its folder has, but nothing hidden", async () => {
  for (const name of ["mo-flow", "Ads.2", ".hidden"]) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "topology.json"), '{"penstock":1,"name":"any"}');
  }
  expect((await workspace.list()).map(({ name }) => name)).toEqual(["Ads.2", "mo-flow"]);
  expect((await workspace.document(projectIdOf("mo-flow"))).topology).toContain('"any"');
});

test("should trust what was made here, and nothing that was put here until the user says so", async () => {
  const { id, path } = await made();
  expect((await workspace.infoOf(id)).trusted).toBe(true);
  const sent = join(folder, "sent");
  await mkdir(sent);
  await writeFile(join(sent, "topology.json"), '{"penstock":1,"name":"sent"}');
  const foreign = projectIdOf("sent");
  expect((await refusal(workspace.requireTrust(foreign))).code).toBe("untrusted");
  await workspace.trustProject(foreign);
  await workspace.requireTrust(foreign);
  expect([await workspace.isOwn(foreign), await workspace.isOwn(id)]).toEqual([false, true]);
  // Another folder in the place of a trusted one is a stranger: kept aside, so that its inode is not used again.
  await rename(path, join(root, "aside"));
  await mkdir(path);
  await writeFile(join(path, "topology.json"), '{"penstock":1,"name":"mine"}');
  expect((await workspace.infoOf(id)).trusted).toBe(false);
});

test("should not take a project for the trusted one that was removed, though it has its name and inode", async () => {
  const { id, path } = await made();
  await rm(path, { recursive: true });
  await mkdir(path);
  await writeFile(join(path, "topology.json"), '{"penstock":1,"name":"mine"}');
  expect((await workspace.infoOf(id)).trusted).toBe(false);
});
