import path from "node:path";
import { expect, test } from "../support/penstock.js";
import { Designer } from "../support/designer.js";
import { processIn } from "../support/threadsOf.js";

const GOOD = [
  '#include "services/price.hpp"',
  "",
  "namespace kiosk {",
  "",
  "Receipt Price::handle(const Order& request) {",
  "  return {.total = request.amount * 2};",
  "}",
  "",
  "}",
];
const BROKEN = GOOD.map((line) => line.replace("request.amount", "request.amuont"));
/** Where the compiler stumbles in BROKEN. */
const LINE = BROKEN.findIndex((line) => line.includes("amuont")) + 1;

test("should show a compile error on its node and line while the last good binary runs on", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  const folder = path.join(penstock.workspace, "kiosk");
  await designer.createProject("kiosk");

  await test.step("a service that runs", async () => {
    await designer.view("Messages");
    await page.getByRole("button", { name: "Add the first message" }).click();
    await designer.nameFocused("Order");
    await designer.addField("Order", "amount", "int64");
    await page.getByRole("button", { name: "Add message" }).click();
    await designer.nameFocused("Receipt");
    await designer.addField("Receipt", "total", "int64");
    await designer.view("Flow");
    await designer.addByKey("s", { x: 420, y: 140 }, "Price");
    await designer.setTypes("Order", "Receipt");
    await designer.addByKey("t", { x: 120, y: 140 }, "Orders");
    await designer.inspector.getByLabel("Event", { exact: true }).selectOption("Order");
    await designer.connectFlow("Orders", "Price");
    await designer.expectNoErrors();
    await page.getByRole("button", { name: "Generate", exact: true }).click();
    await expect(designer.treeRow("Price")).toContainText("unwritten");
    await designer.writeHandler("Price", GOOD);
    await designer.run();
  });
  const pid = await processIn(folder);
  expect(pid).toBeDefined();

  await test.step("a slip in its handler fails the build, and nothing that runs is touched", async () => {
    await designer.writeHandler("Price", BROKEN);
    await page.getByRole("button", { name: "Build", exact: true }).click();
    await expect(designer.statePill).toHaveText("build failed · last good binary runs on");
    expect(await processIn(folder)).toBe(pid);
    await designer.view("Flow");
    await expect(designer.node("Price")).toContainText("error");
    await designer.treeRow("Price").click();
    const here = designer.inspector.getByRole("list", { name: "Problems here" });
    await expect(here).toContainText("amuont");
    await expect(here).toContainText(`price.cpp:${LINE}`);
    await expect(designer.treeRow("Price").locator(".live-figure")).toHaveText(/[1-9]\d*(\.\d)?\s*\/s/);
  });

  await test.step("the problem leads to its line", async () => {
    await page.getByRole("tab", { name: /^Problems/ }).click();
    const problem = page
      .getByRole("list", { name: "Problems", exact: true })
      .getByRole("button", { name: /amuont/ });
    await expect(problem.first()).toContainText(`price.cpp:${LINE}`);
    await problem.first().click();
    await expect(page.locator(".cm-activeLineGutter").filter({ hasText: String(LINE) })).toBeVisible();
    await expect(page.locator(".cm-activeLine")).toContainText("amuont");
  });

  await test.step("putting it right clears the error, and the new binary takes over", async () => {
    await designer.writeHandler("Price", GOOD);
    await page.getByRole("button", { name: "Restart", exact: true }).click();
    await designer.awaitRunning();
    await designer.view("Flow");
    await expect(designer.node("Price")).not.toContainText("error");
    await designer.expectNoErrors();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(designer.statePill).toHaveText("not running");
  });
});
