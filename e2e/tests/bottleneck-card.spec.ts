import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { adsWorld } from "../perf/adsWorld.js";
import { serveFake } from "../perf/fakeBackend.js";

const DIST = fileURLToPath(new URL("../../designer/dist", import.meta.url));

for (const [width, height] of [
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const)
  test(`should show the card of a bottleneck where it covers nothing that is drawn, at ${width}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    // The server is imitated: what a real binary measures, and when, hangs on the machine.
    const fake = await serveFake(page, DIST, adsWorld(true));
    await page.goto(fake.url);
    const canvas = page.getByTestId("canvas");
    const card = canvas.getByRole("alert").filter({ hasText: "Bottleneck: pool models" });
    await expect(card).toBeVisible();
    const drawn = canvas.locator(".react-flow__node:not(.react-flow__node-bundle)");
    expect(await drawn.count()).toBeGreaterThan(3);
    await expect
      .poll(async () => {
        const at = (await card.boundingBox())!;
        const boxes = await drawn.evaluateAll((nodes) =>
          nodes.map((node) => {
            const { x, y, width, height } = node.getBoundingClientRect();
            return { id: node.getAttribute("data-id"), x, y, width, height };
          }),
        );
        return boxes
          .filter(
            (box) =>
              box.x < at.x + at.width &&
              at.x < box.x + box.width &&
              box.y < at.y + at.height &&
              at.y < box.y + box.height,
          )
          .map(({ id }) => id);
      })
      .toEqual([]);
    // Nor does it leave the canvas.
    const [inner, outer] = [(await card.boundingBox())!, (await canvas.boundingBox())!];
    expect(inner.x).toBeGreaterThanOrEqual(outer.x);
    expect(inner.y).toBeGreaterThanOrEqual(outer.y);
    expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
    expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height);
    fake.stop();
  });
