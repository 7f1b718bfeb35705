import { readFile } from "node:fs/promises";
import path from "node:path";
import { writeGridProject } from "../perf/gridTopology.js";
import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";

test("should find one of 200 services, rename it, connect it, and find one of their problems", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  const folder = path.join(penstock.workspace, "grid");
  await writeGridProject(folder, 200);
  const callsOf = async (name: string) => {
    const drawn = JSON.parse(await readFile(path.join(folder, "topology.json"), "utf8"));
    return drawn.services.find((service: { name: string }) => service.name === name)?.calls;
  };
  await page.reload();
  await page.getByRole("button", { name: /^grid\b/ }).click();
  await expect(designer.canvas).toBeVisible();

  await test.step("by keys alone: found, and renamed from the field in which it was looked for", async () => {
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox", { name: "Find in the project" })).toBeFocused();
    await page.keyboard.type("Service157");
    await expect(designer.treeRow("Service157")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(designer.node("Service157")).toBeInViewport({ ratio: 0.9 });
    await page.keyboard.press("F2");
    await expect(designer.naming).toBeFocused();
    await page.keyboard.type("Billing");
    await page.keyboard.press("Enter");
    await expect(designer.node("Billing")).toBeVisible();
    await designer.awaitSaved();
    await expect.poll(() => callsOf("Service156")).toEqual(["Billing"]);
  });

  await test.step("a line to the service above it, and back", async () => {
    await designer.connectCall("Billing", "Service117");
    await expect.poll(() => callsOf("Billing")).toEqual(["Service158", "Service117"]);
    await page.keyboard.press("Control+z");
    await expect.poll(() => callsOf("Billing")).toEqual(["Service158"]);
  });

  await test.step("one of 200 problems, which leads to a node that can be read", async () => {
    await designer.view("Messages");
    await page.getByRole("button", { name: "Delete Pong" }).click();
    await designer.view("Flow");
    await page.getByRole("searchbox", { name: "Filter the problems" }).fill("PS301 service99");
    const rows = page.getByRole("list", { name: "Problems", exact: true }).getByRole("listitem");
    await expect(rows).toHaveCount(1);
    await rows.getByRole("button", { name: /Service99/ }).click();
    const node = designer.node("Service99");
    await expect(node).toContainText("error");
    const cut = () => node.locator(".node-name").evaluate((name) => name.scrollWidth > name.clientWidth);
    await expect.poll(cut).toBe(false);
  });
});
