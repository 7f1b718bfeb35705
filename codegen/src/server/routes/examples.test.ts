import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { fileURLToPath } from "node:url";
import { exampleFolder, listExamples } from "./examples.js";

const examplesDir = fileURLToPath(new URL("../../../../examples", import.meta.url));

test("should offer every example that comes with Penstock, with what it is about", async () => {
  const examples = await listExamples(examplesDir);
  expect(examples.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "ads",
      "buffers",
      "carving",
      "hello",
      "mo-flow",
      "mobile-money",
      "streaming",
      "ussd",
    ]),
  );
  for (const { title, doc } of examples) expect([title, doc]).not.toContain("");
  // With what a picture of it is drawn from.
  for (const { topology } of examples) expect(JSON.parse(topology)).toHaveProperty("services");
});

test("should keep what examples share the same in each: a copy of one stands alone", async () => {
  const kept = new Map<string, string>();
  for (const { name } of await listExamples(examplesDir)) {
    for (const folder of ["src/shared", "by-hand"]) {
      const files = await readdir(`${examplesDir}/${name}/${folder}`).catch(() => []);
      for (const file of files.filter((one) => one !== "main.cpp")) {
        const text = await readFile(`${examplesDir}/${name}/${folder}/${file}`, "utf8");
        expect(text, `${name}/${folder}/${file}`).toBe(kept.get(file) ?? text);
        kept.set(file, text);
      }
    }
  }
  expect(kept.size).toBeGreaterThan(10);
});

test("should know no example that is not in the list", async () => {
  expect(await exampleFolder(examplesDir, "mo-flow")).toBe(`${examplesDir}/mo-flow`);
  for (const name of ["mo_flow", "../examples/ads", ".", ""])
    await expect(exampleFolder(examplesDir, name)).rejects.toThrow("There is no such example");
});
