import { readFile } from "node:fs/promises";
import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";

// Its recording is a kept one: what this machine does, and may, is nobody's business here.
test.use({ programs: "codegen/src/profile/testing" });

test("should show whose the CPU time of a running binary is, asked at a service", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  await designer.createFromExample("ads", "profiled");
  await designer.run();

  const dialog = page.getByRole("dialog", { name: "CPU time of ads-server" });
  const shares = dialog.getByRole("list", { name: "Shares of the CPU time" }).getByRole("button");
  const graph = dialog.getByRole("img", { name: "Flame graph of ads-server" });
  const handler = graph.getByText("GetAd::handle", { exact: true }).first();

  await test.step("the menu of the service asks how long, and its frames stand out", async () => {
    await page
      .getByRole("group", { name: "Service GetAd" })
      .click({ button: "right", position: { x: 60, y: 34 } });
    await page.getByRole("menuitem", { name: "Profile…" }).click();
    await dialog.getByLabel("Seconds to record").fill("2");
    await dialog.getByRole("button", { name: "Record", exact: true }).click();
    await expect(shares).toHaveText([
      "GetAd 22.8 %",
      "ProduceAd 14.0 %",
      "CountError 1.8 %",
      "source of Impressions 1.8 %",
      "runtime 31.6 %",
      "kernel 28.1 %",
    ]);
    await expect(shares.first()).toHaveAttribute("aria-pressed", "true");
    await expect(handler).toHaveCSS("opacity", "1");
    await expect(graph.getByText("front", { exact: true })).toHaveCSS("opacity", "0.4");
  });

  await test.step("a click shows a frame over the whole width", async () => {
    const widthOf = async () => (await handler.boundingBox())?.width ?? 0;
    const before = await widthOf();
    await handler.click();
    await expect.poll(widthOf).toBeGreaterThan(before * 2);
    await dialog.getByRole("button", { name: "Show all" }).click();
    await expect.poll(widthOf).toBeLessThan(before * 2);
  });

  await test.step("the SVG is a page of its own that shows the same, and zooms", async () => {
    const saved = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save SVG" }).click();
    const svg = await readFile(await (await saved).path(), "utf8");
    const file = await page.context().newPage();
    await file.goto(`data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`);
    const frame = file.locator("svg.f.lit", { hasText: "GetAd::handle" }).first();
    await frame.locator("rect").click({ position: { x: 2, y: 5 } });
    await expect(frame).toHaveAttribute("width", "100%");
    await file.locator(".paper").click({ position: { x: 600, y: 5 } });
    await expect(frame).not.toHaveAttribute("width", "100%");
    await file.close();
  });

  await test.step("it is asked by the palette of commands, too, for the binary", async () => {
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await designer.command("Profile…");
    await expect(dialog.getByLabel("Seconds to record")).toBeFocused();
    await page.keyboard.press("Escape");
  });
});
