import { Designer } from "../support/designer.js";
import { lasso } from "../support/hands.js";
import { expect, test } from "../support/penstock.js";
import { standsStill } from "../support/standsStill.js";

test("should not take a bundle with a lasso over a part of it", async ({ signedIn: page }) => {
  const designer = new Designer(page);
  await designer.createFromExample("ads", "lasso");
  await expect(designer.node("GetAd")).toBeVisible();
  const canvas = await standsStill(page.locator(".react-flow__pane"));
  const first = await standsStill(designer.node("Impressions"));
  const bundle = await standsStill(page.locator(".react-flow__node-bundle"));
  const corner = { x: canvas.x + 8, y: canvas.y + 8 };
  const within = { x: first.x + first.width, y: first.y + first.height / 2 };
  await lasso(page, corner, within);
  await expect(page.locator(".react-flow__node-source.selected")).toHaveCount(1);
  await expect(page.locator(".react-flow__node-bundle.selected")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await lasso(page, corner, { x: bundle.x + bundle.width + 6, y: bundle.y + bundle.height + 6 });
  await expect(page.locator(".react-flow__node-bundle.selected")).toHaveCount(1);
  await expect(page.getByText("6 selected, and 4 lines")).toBeVisible();

  // From inside of the bundle, which is the first that it touches.
  await page.keyboard.press("Escape");
  await page.keyboard.down("Shift");
  await lasso(page, { x: bundle.x + 6, y: bundle.y + bundle.height - 6 }, within);
  await page.keyboard.up("Shift");
  await expect(page.locator(".react-flow__node-source.selected")).toHaveCount(1);
  await expect(page.locator(".react-flow__node-bundle.selected")).toHaveCount(0);

  // A click beside it deselects, also what is not drawn here.
  for (const name of ["AdRequest", "models"]) {
    await designer.treeRow(name).click();
    await expect(designer.inspector.getByLabel("Project name")).toHaveCount(0);
    await page.mouse.click(corner.x, corner.y);
    await expect(designer.inspector.getByLabel("Project name")).toHaveValue("ads");
  }

  // What it selects goes as one step, and comes back as one.
  await lasso(page, corner, { x: bundle.x + bundle.width + 6, y: bundle.y + bundle.height + 6 });
  await expect(page.getByText("6 selected, and 4 lines")).toBeVisible();
  await page.keyboard.press("Delete");
  await expect(page.locator(".react-flow__node")).toHaveCount(0);
  await expect(designer.treeRow("GetAd")).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect(page.locator(".react-flow__node-source")).toHaveCount(1);
  await expect(designer.node("GetAd")).toBeVisible();
});
