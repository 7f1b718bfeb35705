import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";

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
  await page.getByRole("button", { name: "Generate", exact: true }).click();
  await expect(page.getByText(/^Generated: /).first()).toBeVisible();

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
