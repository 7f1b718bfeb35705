import type { Locator, Page } from "@playwright/test";
import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";

/** Moves the focus with Tab until it is where it should be. */
async function tabTo(page: Page, goal: Locator): Promise<void> {
  await expect(goal).toBeVisible();
  for (let steps = 0; steps < 120; steps++) {
    if (await goal.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${goal.toString()}`);
}

/** Chooses a line of the list that has the focus; letters that lead there would have to be typed within a second. */
async function choose(page: Page, list: Locator, line: string): Promise<void> {
  await expect(list).toBeFocused();
  await page.keyboard.press("Space");
  await expect(list.locator("option:focus")).toBeVisible();
  const way = (one: HTMLSelectElement, text: string): number => {
    const texts = [...one.options].map((option) => option.text);
    return texts.indexOf(text) - [...one.options].findIndex((option) => option === document.activeElement);
  };
  for (let steps = 0; steps < 60; steps++) {
    const lines = await list.evaluate(way, line);
    if (lines === 0) {
      await page.keyboard.press("Enter");
      return;
    }
    await page.keyboard.press(lines > 0 ? "ArrowDown" : "ArrowUp");
  }
  throw new Error(`the arrows do not lead to ${line}`);
}

/** Types over what the field with the focus holds. */
async function typeOver(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

test("should draw, write, run and stop a flow by keyboard alone", async ({ signedIn: page }) => {
  const designer = new Designer(page);
  const { inspector } = designer;
  const nameFocused = page.locator("input.name-input:focus");
  const field = (name: string) => inspector.getByLabel(name, { exact: true });

  await test.step("a project and a message", async () => {
    await tabTo(page, page.getByRole("button", { name: "New project" }));
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Project name")).toBeFocused();
    await typeOver(page, "keys");
    await expect(designer.canvas).toBeVisible();
    await designer.command("Add message");
    await expect(nameFocused).toBeVisible();
    await typeOver(page, "Order");
    const card = page.getByRole("region", { name: "Message Order" });
    await tabTo(page, card.getByRole("button", { name: "Add field" }));
    await page.keyboard.press("Enter");
    await tabTo(page, card.getByRole("textbox", { name: /^Name of field/ }));
    await typeOver(page, "amount");
    const type = card.getByLabel("Type of amount");
    await tabTo(page, type);
    await choose(page, type, "int64");
    await expect(type).toHaveValue("int64");
  });

  await test.step("a service, a source and its stage", async () => {
    await page.keyboard.press("Alt+1");
    await designer.command("Add simple service");
    await expect(designer.naming).toBeFocused();
    await typeOver(page, "Price");
    await tabTo(page, field("Request"));
    await choose(page, field("Request"), "Order");
    await expect(field("Request")).toHaveValue("Order");
    await designer.command("Add rate source");
    await expect(designer.naming).toBeFocused();
    await typeOver(page, "Orders");
    await tabTo(page, field("Event"));
    await choose(page, field("Event"), "Order");
    await expect(field("Event")).toHaveValue("Order");
    await tabTo(page, field("Add a stage"));
    await choose(page, field("Add a stage"), "Price");
    await expect(designer.canvas.locator(".react-flow__edge")).toHaveCount(1);
    await designer.expectNoErrors();
  });

  await test.step("its handler", async () => {
    await designer.command("Generate");
    await expect(designer.treeRow("Price")).toContainText("unwritten");
    await designer.command("Price");
    await tabTo(page, inspector.getByRole("button", { name: "Edit the handler" }));
    await page.keyboard.press("Enter");
    await expect(page.locator(".cm-content")).toBeFocused();
    await expect(page.locator(".cm-content")).toContainText("Price::handle");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(
      [
        '#include "services/price.hpp"',
        "",
        "namespace keys {",
        "",
        "void Price::handle(const Order& request) { static_cast<void>(request); }",
        "",
        "}",
      ].join("\n"),
    );
    await page.keyboard.press("Control+s");
    await expect(page.getByLabel("unsaved changes")).toHaveCount(0);
  });

  await test.step("run, look, stop", async () => {
    await page.keyboard.press("F5");
    await designer.awaitRunning();
    // Tab has led through the palette below the tree; rows out of sight are not given figures.
    await designer.treeRow("Price").scrollIntoViewIfNeeded();
    await expect(designer.treeRow("Price")).toContainText(/[1-9]\d*(\.\d)?\s*\/s/);
    await page.keyboard.press("Shift+F5");
    await expect(designer.statePill).toHaveText("not running");
  });
});
