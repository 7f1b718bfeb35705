import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Locator } from "@playwright/test";
import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";
import { seriousViolations } from "../support/seriousViolations.js";
import { standsStill } from "../support/standsStill.js";

const examples = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../examples");

interface Saved {
  binaries: { name: string; bundles: string[] }[];
}

test("should move a bundle to another binary by dragging it into its frame, and back by one undo", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  const { mouse, keyboard } = page;
  const group = (name: string) => page.getByRole("group", { name, exact: true });
  const label = (bundle: string) => group(`Bundle ${bundle}`).locator(".bundle-label");
  const isIn = async (inner: Locator, outer: Locator) => {
    const [a, b] = [await standsStill(inner), await standsStill(outer)];
    return a.x > b.x && a.y > b.y && a.x + a.width < b.x + b.width && a.y + a.height < b.y + b.height;
  };
  const served = async () => {
    const text = await readFile(path.join(penstock.workspace, "two/topology.json"), "utf8");
    return Object.fromEntries(
      (JSON.parse(text) as Saved).binaries.map(({ name, bundles }) => [name, bundles]),
    );
  };
  /** Takes a bundle by its label to a place, and leaves it in the hand. */
  const drag = async (bundle: string, to: { x: number; y: number }) => {
    const from = await standsStill(label(bundle));
    await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await mouse.down();
    // A drag begins with the first move, and from where that ends.
    await mouse.move(from.x + from.width / 2 + 2, from.y + from.height / 2);
    await mouse.move(to.x, to.y, { steps: 6 });
  };
  const [ads, models] = [group("Binary ads-server"), group("Binary models-server")];

  const picked = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Import…" }).click();
  await (await picked).setFiles(path.join(examples, "ads/two-binaries.json"));
  await page.getByLabel("Project name").fill("two");
  await page.getByRole("dialog").getByRole("button", { name: "Import", exact: true }).click();
  await expect(ads).toBeVisible();
  await expect(models).toContainText("models-server");
  // The view may still be brought to the drawing between two looks.
  await expect.poll(() => isIn(group("Bundle AdBundle"), ads)).toBe(true);
  await expect.poll(() => isIn(group("Bundle Logs"), models)).toBe(true);
  // Where a drag begins or ends near its edge, the canvas is moved.
  for (let times = 0; times < 2; times++) {
    await page.getByRole("button", { name: "Zoom out" }).click();
    await standsStill(ads);
  }
  const before = await designer.boxes();
  const frame = await standsStill(ads);
  const inFrame = { x: frame.x + frame.width / 3, y: frame.y + frame.height - 4 };

  await test.step("Escape leaves it where it was", async () => {
    await drag("Logs", inFrame);
    await expect(ads.locator(".frame")).toHaveAttribute("data-target", "true");
    await keyboard.press("Escape");
    await expect(ads.locator(".frame")).not.toHaveAttribute("data-target");
    await mouse.up();
    expect(await designer.boxes()).toEqual(before);
    await expect(page.getByRole("button", { name: "Undo" })).toBeDisabled();
  });

  await test.step("dropped in the frame, it is in that binary, where it was dropped", async () => {
    await drag("Logs", inFrame);
    await expect(ads.locator(".frame")).toHaveAttribute("data-target", "true");
    await expect(models.locator(".frame")).not.toHaveAttribute("data-target");
    await mouse.up();
    await expect(ads.locator(".frame")).not.toHaveAttribute("data-target");
    await expect.poll(() => isIn(group("Bundle Logs"), ads)).toBe(true);
    const { x, y, width, height } = await standsStill(label("Logs"));
    expect(Math.hypot(x + width / 2 - inFrame.x, y + height / 2 - inFrame.y)).toBeLessThan(12);
    await expect.poll(served).toEqual({ "ads-server": ["AdBundle", "Logs"], "models-server": ["Models"] });
  });

  await test.step("one undo takes back both", async () => {
    await keyboard.press("Control+z");
    await expect(page.getByRole("button", { name: "Undo" })).toBeDisabled();
    await expect.poll(() => designer.boxes()).toEqual(before);
    await expect.poll(served).toEqual({ "ads-server": ["AdBundle"], "models-server": ["Models", "Logs"] });
  });

  await test.step("the same by keyboard", async () => {
    await designer.treeRow("Logs").click();
    await designer.command("Move to binary");
    await expect(page.getByRole("menuitem", { name: "Move to ads-server" })).toBeFocused();
    await keyboard.press("Enter");
    await expect.poll(served).toEqual({ "ads-server": ["AdBundle", "Logs"], "models-server": ["Models"] });
    await keyboard.press("Control+z");
    await expect.poll(served).toEqual({ "ads-server": ["AdBundle"], "models-server": ["Models", "Logs"] });
  });

  await test.step("the label of a frame has the properties of its binary beside the drawing, and moves all that is in it", async () => {
    await models.locator(".frame-label").click();
    await expect(designer.inspector.getByLabel("Replicas")).toHaveValue("2");
    await expect(designer.inspector.getByLabel("Name", { exact: true })).toHaveValue("models-server");
    expect(await seriousViolations(page, ".react-flow")).toEqual([]);
    const from = await standsStill(models.locator(".frame-label"));
    await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await mouse.down();
    await mouse.move(from.x + from.width / 2, from.y + from.height / 2 + 2);
    await mouse.move(from.x + from.width / 2, from.y + from.height / 2 + 60, { steps: 6 });
    await mouse.up();
    expect((await standsStill(models.locator(".frame-label"))).y).toBeGreaterThan(from.y + 40);
    await expect.poll(() => isIn(group("Bundle Logs"), models)).toBe(true);
    await keyboard.press("Control+z");
    await expect.poll(() => designer.boxes()).toEqual(before);
    await page.locator(".react-flow__pane").click({ position: { x: 8, y: 8 } });
    await expect(designer.inspector.getByLabel("Replicas")).toHaveCount(0);
  });

  await test.step("frames name their hosts once the drawing has several", async () => {
    const listen = async (binary: string, address: string) => {
      await designer.treeRow(binary).click();
      await designer.inspector.getByLabel("Listen").fill(address);
      await keyboard.press("Enter");
    };
    await listen("ads-server", "tcp://10.0.0.5:7400");
    await expect(ads.locator(".frame-hint")).toHaveText(":7400");
    await listen("models-server", "tcp://10.0.0.6:7400");
    await expect(ads.locator(".frame-hint")).toHaveText("10.0.0.5:7400");
    await expect(models.locator(".frame-hint")).toHaveText("×2 · 10.0.0.6:7400");
    // What is dragged from one host to another is moved as between two binaries of one.
    const named = await designer.boxes();
    const host = await standsStill(ads);
    await drag("Logs", { x: host.x + host.width / 3, y: host.y + host.height - 4 });
    await expect(ads.locator(".frame")).toHaveAttribute("data-target", "true");
    await mouse.up();
    await expect.poll(served).toEqual({ "ads-server": ["AdBundle", "Logs"], "models-server": ["Models"] });
    await keyboard.press("Control+z");
    await expect.poll(() => designer.boxes()).toEqual(named);
    await expect.poll(served).toEqual({ "ads-server": ["AdBundle"], "models-server": ["Models", "Logs"] });
    await listen("models-server", "tcp://10.0.0.5:7401");
    await expect(ads.locator(".frame-hint")).toHaveText(":7400");
    await expect(models.locator(".frame-hint")).toHaveText("×2 · :7401");
  });
});
