import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";

test("should not take a bundle with a lasso over a part of it", async ({ signedIn: page }) => {
  const designer = new Designer(page);
  await designer.createFromExample("ads", "lasso");
  await expect(designer.node("GetAd")).toBeVisible();
  const canvas = await page.locator(".react-flow__pane").boundingBox();
  const first = await designer.node("Impressions").boundingBox();
  const bundle = await page.locator(".react-flow__node-bundle").boundingBox();
  if (!canvas || !first || !bundle) throw new Error("the drawing is not there");
  const lassoTo = async (x: number, y: number) => {
    await page.mouse.move(canvas.x + 8, canvas.y + 8);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 10 });
    await page.mouse.up();
  };
  await lassoTo(first.x + first.width, first.y + first.height / 2);
  await expect(page.locator(".react-flow__node-source.selected")).toHaveCount(1);
  await expect(page.locator(".react-flow__node-bundle.selected")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await lassoTo(bundle.x + bundle.width + 6, bundle.y + bundle.height + 6);
  await expect(page.locator(".react-flow__node-bundle.selected")).toHaveCount(1);
  await expect(page.getByText("6 selected, and 4 lines")).toBeVisible();

  // From inside of the bundle, which is the first that it touches.
  await page.keyboard.press("Escape");
  await page.keyboard.down("Shift");
  await page.mouse.move(bundle.x + 6, bundle.y + bundle.height - 6);
  await page.mouse.down();
  await page.mouse.move(first.x + first.width, first.y + first.height / 2, { steps: 10 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await expect(page.locator(".react-flow__node-source.selected")).toHaveCount(1);
  await expect(page.locator(".react-flow__node-bundle.selected")).toHaveCount(0);
});
