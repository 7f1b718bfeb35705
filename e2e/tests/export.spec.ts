import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";
import { expectSaid } from "../support/said.js";

const examples = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../examples");

/** Every file below a folder with its text, by path. */
function tree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [path.relative(folder, file), readFileSync(file, "utf8")]),
  );
}

test("should export a topology from which the command line makes the same project, byte for byte", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  await designer.createProject("exported", "ads");
  await designer.generate();

  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Export topology.json" }).click();
  const copy = path.join(penstock.workspace, "..", "copy");
  mkdirSync(copy, { recursive: true });
  await (await saved).saveAs(path.join(copy, "topology.json"));

  const { code, stderr } = await penstock.cli("generate", copy, "--json");
  expect(code, stderr).toBe(0);
  const drawn = path.join(penstock.workspace, "exported");
  expect(readFileSync(path.join(copy, "topology.json"))).toEqual(
    readFileSync(path.join(drawn, "topology.json")),
  );
  expect(tree(path.join(copy, "generated"))).toEqual(tree(path.join(drawn, "generated")));

  // With the handlers beside it, a second run finds nothing to do.
  cpSync(path.join(drawn, "src"), path.join(copy, "src"), { recursive: true });
  const again = await penstock.cli("generate", copy, "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, written: [], removed: [] });
});

test("should import a drawing, and rename, copy and delete its project from the list", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  const row = (name: string) => page.getByRole("button", { name: new RegExp(`^${name}\\b`) });
  const choose = async (name: string, what: string) => {
    await page.getByRole("button", { name: `More for ${name}` }).click();
    await page.getByRole("menuitem", { name: what }).click();
  };
  const name = async (text: string, verb: string) => {
    await page.getByLabel("Project name").fill(text);
    await page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).click();
  };
  const picked = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Import…" }).click();
  await (await picked).setFiles(path.join(examples, "hello/topology.json"));
  await name("brought", "Import");
  await expect(designer.node("Addition").first()).toBeVisible();

  await page.getByRole("button", { name: "Penstock" }).click();
  await expect(row("brought")).toContainText("not trusted yet");
  await choose("brought", "Rename…");
  await name("mine", "Rename");
  await choose("mine", "Duplicate…");
  await name("other", "Duplicate");
  await expect(row("other")).toBeVisible();
  await choose("mine", "Delete…");
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expectSaid(page, /^Deleted mine/);
  await expect(row("mine")).toHaveCount(0);
  await row("other").click();
  await expect(designer.node("Addition").first()).toBeVisible();
});
