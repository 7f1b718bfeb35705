import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "../support/penstock.js";
import { COMPILED, Designer } from "../support/designer.js";
import { expectSaid } from "../support/said.js";
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
/** Of another binary than GOOD: the same one would run on. */
const BETTER = GOOD.map((line) => line.replace("* 2", "* 3"));
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
    await designer.generate();
    await expect(designer.treeRow("Price")).toContainText("unwritten");
    await designer.writeHandler("Price", GOOD);
    await designer.run();
  });
  const pid = await processIn(folder);
  expect(pid).toBeDefined();

  await test.step("a slip in its handler fails the build, and nothing that runs is touched", async () => {
    await designer.writeHandler("Price", BROKEN);
    await page.getByRole("button", { name: "Build", exact: true }).click();
    await expect(designer.statePill).toHaveText("build failed · last good binary runs on", COMPILED);
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
    await designer.writeHandler("Price", BETTER);
    await page.getByRole("button", { name: "Restart", exact: true }).click();
    await expect.poll(async () => [undefined, pid].includes(await processIn(folder)), COMPILED).toBe(false);
    await designer.awaitRunning();
    await designer.view("Flow");
    await expect(designer.node("Price")).not.toContainText("error");
    await designer.expectNoErrors();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(designer.statePill).toHaveText("not running");
  });
});

test("should take a source without a stage for something to do, and for an error once it is asked to generate", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  const { inspector } = designer;
  const status = page.getByRole("contentinfo");
  const here = inspector.getByRole("list", { name: "Problems here" });
  const listed = page.getByRole("list", { name: "Problems", exact: true });
  const says = 'The flow "Orders" has no stage yet';
  await designer.createProject("begun");
  await designer.dragFromPalette("Rate source", { x: 320, y: 180 }, "Orders");

  await test.step("dropped, it is something to do", async () => {
    await expect(here.getByLabel("To do")).toBeVisible();
    await expect(here).toContainText(says);
    await expect(status).toContainText("1 to do");
    await designer.expectNoErrors();
    await expect(designer.node("Orders")).not.toContainText("error");
  });

  await test.step("to generate is refused, with the place and what helps", async () => {
    await page.getByRole("button", { name: "Generate", exact: true }).click();
    await expectSaid(page, new RegExp(`^Not generated.*${says}`));
    await expect(status).toContainText(/(?<!\d)1 error/);
    await expect(status).not.toContainText("to do");
    await expect(designer.node("Orders")).toContainText("error");
    await page.getByRole("tab", { name: /^Problems/ }).click();
    await expect(listed.getByLabel("Error")).toBeVisible();
    await expect(listed).toContainText("PS402");
    // It leads to its place.
    await designer.treeRow("begun").click();
    await listed.getByRole("button", { name: new RegExp(says) }).click();
    await expect(inspector.getByLabel("Name", { exact: true })).toHaveValue("Orders");
  });

  await test.step("the remedy beside it mends it", async () => {
    await here.getByRole("button", { name: "Add a service" }).click();
    await designer.expectNoErrors();
    await designer.generate();
    await expect(page.getByText("Not generated")).toHaveCount(0);
  });
});

test("should say where a topology.json is damaged, and open it once it is put right", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  const file = path.join(penstock.workspace, "hurt", "topology.json");
  await designer.createFromExample("hello", "hurt");
  await expect(designer.node("Addition")).toBeVisible();
  await designer.awaitSaved();
  const good = await readFile(file, "utf8");
  await writeFile(file, '{\n  "penstock": 1,\n  "name": "hurt",,\n}\n');
  await page.reload();
  const tryAgain = page.getByRole("button", { name: "Try again" });
  await expect(page.getByRole("heading", { name: "topology.json cannot be read" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText(file);
  await expect(page.getByRole("main")).toContainText(/topology\.json:3:18 · PS\d+ · \S+/);

  await page.getByRole("button", { name: "All projects" }).click();
  await page.getByRole("button", { name: /^hurt\b/ }).click();
  await tryAgain.click();
  await expect(page.getByRole("heading", { name: "topology.json cannot be read" })).toBeVisible();
  await writeFile(file, good);
  await tryAgain.click();
  await expect(designer.node("Addition")).toBeVisible();
});
