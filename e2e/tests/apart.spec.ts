import { copyFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "../support/penstock.js";
import { COMPILED, Designer } from "../support/designer.js";

const APART = fileURLToPath(new URL("../../codegen/test/golden/apart/topology.json", import.meta.url));

test("should run a drawing of two binaries, whose services call each other", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  await designer.createFromExample("ads", "apart");
  await designer.awaitSaved();
  // The bundle of the models moves to a binary of its own; the handlers stay as they are.
  await copyFile(APART, path.join(penstock.workspace, "apart", "topology.json"));
  await page.reload();
  await expect(designer.treeRow("models-server")).toBeVisible();
  await designer.expectNoErrors();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(designer.statePill).toHaveText("2 of 2 running", COMPILED);
  // Nobody but GetAd, in the other process, asks ProduceAd.
  for (const name of ["GetAd", "ProduceAd"])
    await expect(designer.treeRow(name).locator(".live-figure")).toHaveText(/^\s*[1-9][\d.]*k?\s*\/s/);

  await test.step("the line between them says where it leads and how far that is", async () => {
    const line = page.locator('[aria-label="Call: GetAd asks ProduceAd in models-server"] path.edge');
    const middle = await line.evaluate((path: SVGPathElement) => {
      const point = path.getPointAtLength(path.getTotalLength() / 2);
      const { x, y } = point.matrixTransform(path.getScreenCTM()!);
      return { x, y };
    });
    await page.mouse.click(middle.x, middle.y);
    const link = page.getByRole("region", { name: "Link" });
    await expect(link).toContainText("models-server");
    await expect(link).toContainText(/Round trip[\d.]+ (µs|ms|s)/);
  });

  await test.step("each binary has its threads, on a tab of its own", async () => {
    await designer.view("Threads");
    await page.getByRole("tab", { name: "models-server" }).click();
    await expect(page.getByRole("article", { name: "Thread models·0" })).toBeInViewport();
    await designer.view("Flow");
  });

  await test.step("they stop together", async () => {
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(designer.statePill).toHaveText("not running");
  });
});
