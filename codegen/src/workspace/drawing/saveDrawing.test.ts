import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readDrawing, revisionOf } from "./drawing.js";
import { finishSave, saveDrawing, type DrawingPlace } from "./saveDrawing.js";
import { listRevisions, REVISIONS, REVISIONS_KEPT } from "./revisions.js";

const OLD = { topology: '{"old":1}\n', layout: '{"old":"layout"}\n' };
const NEW = { topology: '{"new":1}\n', layout: '{"new":"layout"}\n' };
const oldRevision = revisionOf(OLD.topology, OLD.layout);
const newRevision = revisionOf(NEW.topology, NEW.layout);

/** A save over what is there. */
const save = async (
  place: DrawingPlace,
  drawing: { topology: string; layout: string; savedAtMs: number },
  onStep?: (step: string) => void,
): Promise<string | undefined> =>
  saveDrawing(place, { ...drawing, replaces: await readDrawing(place.root) }, onStep);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "penstock-save-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function freshPlace(name: string): Promise<DrawingPlace> {
  const place = { root: join(folder, name), records: join(folder, `${name}-records`) };
  await mkdir(place.root, { recursive: true });
  await writeFile(join(place.root, "topology.json"), "{}\n");
  await save(place, { ...OLD, savedAtMs: 1 });
  return place;
}

const left = async (place: DrawingPlace): Promise<string[]> => (await readdir(place.root)).sort();

/** One plain file of a program: many processes that each read TypeScript take most of their time for that. */
async function bundled(script: string): Promise<string> {
  const bundle = await rolldown({ input: script, platform: "node" });
  const file = join(folder, "program.mjs");
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  return file;
}

/** Steps of an undisturbed save. */
async function countSteps(): Promise<number> {
  let steps = 0;
  const place = await freshPlace("count");
  await save(place, { ...NEW, savedAtMs: 2 }, () => void steps++);
  return steps;
}

test("should keep the last save as the newest, and as one of those that are kept, though the clock went back", async () => {
  const place = await freshPlace("back");
  for (let at = 0; at < REVISIONS_KEPT; at++)
    await save(place, { ...OLD, topology: `{"n":${at}}\n`, savedAtMs: 1_000_000 + at });
  await save(place, { ...NEW, savedAtMs: 5 });
  const kept = await listRevisions(join(place.records, REVISIONS));
  expect(kept).toHaveLength(REVISIONS_KEPT);
  expect(kept[0]).toEqual({ revision: newRevision, savedAtMs: 1_000_000 + REVISIONS_KEPT });
});

test("row 5: killed before any change on the disk of a save, the project is the old one or the new one", async () => {
  const steps = await countSteps();
  expect(steps).toBeGreaterThan(15);
  const place = await freshPlace("template");
  const program = await bundled(fileURLToPath(new URL("../testing/saveAndDie.ts", import.meta.url)));
  const die = (copy: DrawingPlace, step: number): Promise<string> =>
    new Promise((resolve) => {
      const args = [program, copy.root, copy.records, NEW.topology, NEW.layout, String(step)];
      execFile(process.execPath, args, (_error, stdout) => resolve(stdout.trim()));
    });
  const outcomes = new Map<number, string>();
  const all = Array.from({ length: steps + 1 }, (_, index) => index + 1);
  for (let from = 0; from < all.length; from += 4) {
    await Promise.all(
      all.slice(from, from + 4).map(async (step) => {
        const copy = { root: join(folder, `at-${step}`), records: join(folder, `at-${step}-records`) };
        await cp(place.root, copy.root, { recursive: true });
        await cp(place.records, copy.records, { recursive: true });
        const printed = await die(copy, step);
        finishSave(copy);
        const { revision } = await readDrawing(copy.root);
        // What was acknowledged is never lost; what was not may be either, but nothing else.
        const allowed = printed === "" ? [oldRevision, newRevision] : [newRevision];
        expect([step, allowed.includes(revision)]).toEqual([step, true]);
        expect([step, await left(copy)]).toEqual([step, ["layout.json", "topology.json"]]);
        outcomes.set(step, revision);
      }),
    );
  }
  expect(outcomes.get(1)).toBe(oldRevision);
  expect(outcomes.get(steps)).toBe(newRevision);
  expect(outcomes.get(steps + 1)).toBe(newRevision);
});

test.each(["ENOSPC", "EIO", "EDQUOT"])(
  "row 7: %s at any step of writing leaves the old file and no litter",
  async (code) => {
    const steps = await countSteps();
    let failedEarly = 0;
    for (let step = 1; step <= steps; step++) {
      const place = await freshPlace(`${code}-${step}`);
      let at = 0;
      const failing = (name: string): void => {
        // Space runs out where bytes are written; names that are freed or moved need none.
        if (++at >= step && /^(create|sync|mkdir) /.test(name))
          throw Object.assign(new Error(code), { code });
      };
      const saved = await save(place, { ...NEW, savedAtMs: 2 }, failing).then(
        () => true,
        () => false,
      );
      finishSave(place);
      const { revision } = await readDrawing(place.root);
      const allowed = saved ? [newRevision] : [oldRevision, newRevision];
      expect([step, allowed.includes(revision)]).toEqual([step, true]);
      const kept = (await listRevisions(join(place.records, "revisions"))).map((entry) => entry.revision);
      expect(kept).toEqual(revision === oldRevision ? [oldRevision] : [newRevision, oldRevision]);
      if (revision === oldRevision) failedEarly++;
      expect(await left(place)).toEqual(["layout.json", "topology.json"]);
    }
    expect(failedEarly).toBeGreaterThan(10);
  },
);

test("should leave files alone that somebody changed after the cut", async () => {
  const place = await freshPlace("edited");
  // It ends between the two files: the topology is the new one, the layout still the old one.
  const cut = save(place, { ...NEW, savedAtMs: 2 }, (step) => {
    if (step === "rename layout.json") throw new Error("cut");
  });
  await expect(cut).rejects.toThrow("cut");
  expect(await readFile(join(place.root, "topology.json"), "utf8")).toBe(NEW.topology);
  await writeFile(join(place.root, "topology.json"), '{"by":"hand"}');
  finishSave(place);
  expect(await readFile(join(place.root, "topology.json"), "utf8")).toBe('{"by":"hand"}');
  expect(await readFile(join(place.root, "layout.json"), "utf8")).toBe(OLD.layout);
  expect(await left(place)).toEqual(["layout.json", "topology.json"]);
});

test.each([
  ["before it is decided", /^sync topology\.json|^sync generated\.tmp-[^/]+\/journal/],
  ["when it is decided", /^sync generated\.tmp-[^/]+$/],
])(
  "row 71: should leave the drawing that somebody writes %s, and keep none of its own",
  async (_, moment) => {
    const place = await freshPlace("overtaken");
    const steps: string[] = [];
    const saved = await save(place, { ...NEW, savedAtMs: 2 }, (step) => {
      if (moment.test(step)) steps.push(step);
      if (steps.length === 1 && steps[0] === step)
        writeFileSync(join(place.root, "topology.json"), '{"by":"hand"}');
    });
    expect([steps.length, saved]).toEqual([1, undefined]);
    expect(await readFile(join(place.root, "topology.json"), "utf8")).toBe('{"by":"hand"}');
    expect(await readFile(join(place.root, "layout.json"), "utf8")).toBe(OLD.layout);
    expect(await left(place)).toEqual(["layout.json", "topology.json"]);
    const kept = await listRevisions(join(place.records, REVISIONS));
    expect(kept.map(({ revision }) => revision)).toEqual([oldRevision]);
  },
);

test("row 71: should say of a file that somebody writes in the last moment that it is not saved", async () => {
  const place = await freshPlace("moment");
  const saved = await save(place, { ...NEW, savedAtMs: 2 }, (step) => {
    if (step === "rename topology.json") writeFileSync(join(place.root, "layout.json"), '{"by":"hand"}');
  });
  expect(saved).toBeUndefined();
  expect(await readFile(join(place.root, "layout.json"), "utf8")).toBe('{"by":"hand"}');
});

test("should keep the modes of the files", async () => {
  const place = await freshPlace("modes");
  await chmod(join(place.root, "topology.json"), 0o600);
  await chmod(join(place.root, "layout.json"), 0o664);
  expect(await save(place, { ...NEW, savedAtMs: 2 })).toBe(newRevision);
  const modeOf = async (name: string): Promise<number> => (await stat(join(place.root, name))).mode & 0o777;
  expect([await modeOf("topology.json"), await modeOf("layout.json")]).toEqual([0o600, 0o664]);
});

test("should keep the last 20 revisions, each content once", async () => {
  const place = await freshPlace("many");
  for (let count = 0; count < 25; count++) {
    await save(place, {
      topology: `{"n":${count}}`,
      layout: "{}",
      savedAtMs: 100 + count,
    });
  }
  await save(place, { topology: `{"n":20}`, layout: "{}", savedAtMs: 200 });
  const kept = await listRevisions(join(place.records, "revisions"));
  expect(kept).toHaveLength(20);
  expect(new Set(kept.map(({ revision }) => revision)).size).toBe(20);
  expect(kept[0]?.savedAtMs).toBe(200);
});
