import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { copyFolder, filesBelow, putTopology, temporaryFolder, type Sketch } from "./support/project.js";
import { generateProject, loadProject } from "../src/pipeline.js";

/**
 * Every change on disk asks `onStep` first. From step n on it throws, so that nothing more changes,
 * not even in clean-up: what is on disk then is what a kill at that moment leaves.
 */
class Killed extends Error {}

const KILL_CHILD = fileURLToPath(new URL("./support/killAtStep.ts", import.meta.url));

const word = { name: "Word", fields: [{ name: "text", type: "string", tag: 1 }] };
const draw = (services: { name: string; kind?: string }[]): Sketch => ({
  penstock: 1,
  name: "demo",
  messages: [word],
  services: services.map((service) => ({ request: "Word", response: "Word", ...service })),
  bundles: [{ name: "All", services: services.map((service) => service.name) }],
  binaries: [{ name: "demo-server", bundles: ["All"] }],
});
// One service stays, one goes, one is renamed, one changes its form, one is new, two change names.
const BEFORE = draw([
  { name: "Stay" },
  { name: "Go" },
  { name: "Old" },
  { name: "Form" },
  { name: "Left" },
  { name: "Right" },
]);
const AFTER = draw([
  { name: "Stay" },
  { name: "Fresh" },
  { name: "Renamed" },
  { name: "Form", kind: "async-remote" },
  { name: "Left" },
  { name: "Right" },
]);
const renames = [
  { kind: "service", from: "Old", to: "Renamed" },
  { kind: "service", from: "Left", to: "Third" },
  { kind: "service", from: "Right", to: "Left" },
  { kind: "service", from: "Third", to: "Right" },
] as const;

const NAMES = ["stay", "go", "old", "left", "right"];

test("a run that is killed at any moment leaves the old project or the new one", async () => {
  using old = temporaryFolder();
  putTopology(old.path, BEFORE);
  await generateProject(old.path);
  for (const name of NAMES) appendFileSync(join(old.path, `src/services/${name}.cpp`), `// of ${name}\n`);
  putTopology(old.path, AFTER);
  const before = filesBelow(old.path);
  using fresh = temporaryFolder();
  copyFolder(old.path, fresh.path);
  let steps = 0;
  await generateProject(fresh.path, { renames, onStep: () => void steps++ });
  const after = filesBelow(fresh.path);
  expect(steps).toBeGreaterThan(40);

  let oldSeen = 0;
  let newSeen = 0;
  for (let last = 0; last < steps; last++) {
    using folder = temporaryFolder();
    copyFolder(old.path, folder.path);
    let step = 0;
    const run = generateProject(folder.path, {
      renames,
      onStep: () => {
        if (step++ >= last) throw new Killed();
      },
    });
    await expect(run).rejects.toThrow(Killed);

    // As it lies there: whatever somebody has written is somewhere, be it among what waits.
    const killed = [...filesBelow(folder.path).values()];
    for (const name of NAMES) {
      const isThere = killed.some((text) => text.endsWith(`// of ${name}\n`));
      expect(isThere, `${name}, killed before step ${last}`).toBe(true);
    }

    // As the next start leaves it: exactly the one or exactly the other.
    await loadProject(folder.path);
    const recovered = filesBelow(folder.path);
    const isAfter = recovered.get("generated/manifest.json") === after.get("generated/manifest.json");
    expect(recovered, `recovered from step ${last}`).toEqual(isAfter ? after : before);
    if (isAfter) newSeen++;
    else oldSeen++;
    // What was carried out is not asked for again.
    expect((await generateProject(folder.path, isAfter ? {} : { renames })).ok).toBe(true);
    expect(filesBelow(folder.path)).toEqual(after);
  }
  expect(oldSeen).toBeGreaterThan(0);
  expect(newSeen).toBeGreaterThan(0);
});

test("a first run that is killed at any moment leaves the drawing alone or the whole project", async () => {
  using old = temporaryFolder();
  putTopology(old.path, BEFORE);
  // Somebody began to write before the first generation: theirs stays, beside what is new.
  mkdirSync(join(old.path, "src/services"), { recursive: true });
  writeFileSync(join(old.path, "src/services/stay.cpp"), "// mine\n");
  const before = filesBelow(old.path);
  using fresh = temporaryFolder();
  copyFolder(old.path, fresh.path);
  const steps: string[] = [];
  await generateProject(fresh.path, { onStep: (step) => void steps.push(step) });
  const after = filesBelow(fresh.path);
  expect(after.get("src/services/stay.cpp")).toBe("// mine\n");
  expect(steps).toContain("rename tests");

  for (let last = 0; last < steps.length; last++) {
    using folder = temporaryFolder();
    copyFolder(old.path, folder.path);
    let step = 0;
    const onStep = () => {
      if (step++ >= last) throw new Killed();
    };
    await expect(generateProject(folder.path, { onStep })).rejects.toThrow(Killed);
    // What is generated names files that are there.
    const killed = filesBelow(folder.path);
    if (killed.has("generated/manifest.json"))
      for (const [path, text] of after) expect(killed.get(path), `${path}, before step ${last}`).toBe(text);
    await loadProject(folder.path);
    const recovered = filesBelow(folder.path);
    expect(recovered, `recovered from step ${last}`).toEqual(
      recovered.has("generated/manifest.json") ? after : before,
    );
    expect((await generateProject(folder.path)).ok).toBe(true);
    expect(filesBelow(folder.path)).toEqual(after);
  }
});

test("a process killed with SIGKILL at those steps leaves the same", async () => {
  using old = temporaryFolder();
  putTopology(old.path, BEFORE);
  await generateProject(old.path);
  putTopology(old.path, AFTER);
  using fresh = temporaryFolder();
  copyFolder(old.path, fresh.path);
  const steps: string[] = [];
  await generateProject(fresh.path, { onStep: (step) => void steps.push(step) });
  const after = filesBelow(fresh.path);

  const decisive = [
    /^create .*journal/,
    /^rename .*journal/,
    /^link src/,
    /^rename generated\/manifest/,
    /^unlink generated/,
    /^unlink src/,
    /^unlink .*journal/,
    /^rmdir/,
  ];
  for (const pattern of decisive) {
    const step = steps.findIndex((name) => pattern.test(name));
    expect(step, String(pattern)).toBeGreaterThanOrEqual(0);
    using folder = temporaryFolder();
    copyFolder(old.path, folder.path);
    const child = spawnSync(process.execPath, ["--import", "tsx", KILL_CHILD, folder.path, String(step)]);
    expect(child.signal, String(child.stderr)).toBe("SIGKILL");
    expect((await generateProject(folder.path)).ok).toBe(true);
    expect(filesBelow(folder.path)).toEqual(after);
  }
});
