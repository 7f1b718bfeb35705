import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { adsWorld } from "../perf/adsWorld.js";
import { serveFake } from "../perf/fakeBackend.js";

const DIST = fileURLToPath(new URL("../../designer/dist", import.meta.url));

for (const [width, height] of [
  [1280, 720],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const)
  test(`should show the card of a bottleneck where it covers nothing that is drawn, at ${width} x ${height}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    // The server is imitated: what a real binary measures, and when, hangs on the machine.
    const fake = await serveFake(page, DIST, adsWorld(true));
    await page.goto(fake.url);
    const canvas = page.getByTestId("canvas");
    const card = canvas.getByRole("alert").filter({ hasText: "Bottleneck: pool models" });
    await expect(card).toBeVisible();
    // All at one moment: while the figures stand still for seconds there is no card.
    const place = () =>
      card.evaluate((element) => {
        const at = element.getBoundingClientRect();
        const outer = element.closest("[data-testid=canvas]")!.getBoundingClientRect();
        const nodes = [
          ...document.querySelectorAll(".react-flow__node:not(.react-flow__node-bundle), .legend"),
        ];
        return {
          several: nodes.length > 3,
          covers: nodes
            .filter((node) => {
              const box = node.getBoundingClientRect();
              return box.left < at.right && at.left < box.right && box.top < at.bottom && at.top < box.bottom;
            })
            .map((node) => node.getAttribute("data-id") ?? node.className),
          // Nor does it leave the canvas.
          within:
            at.width > 0 &&
            at.left >= outer.left &&
            at.top >= outer.top &&
            at.right <= outer.right &&
            at.bottom <= outer.bottom,
        };
      });
    await expect.poll(place).toEqual({ several: true, covers: [], within: true });
    fake.stop();
  });
