import { expect, test } from "../support/penstock.js";
import { Designer } from "../support/designer.js";
import { Hands } from "../support/hands.js";
import { nodeOf } from "../support/monitor.js";
import { post } from "../support/post.js";

test("should make the first flow in twelve actions, a try of it included", async ({ signedIn: page }) => {
  const designer = new Designer(page);
  const hands = new Hands(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await hands.click(page.getByRole("button", { name: "New project" }));
  await expect(page.getByLabel("Project name")).toBeFocused();
  // With the name that is offered.
  await hands.press("Enter");
  await expect(designer.canvas).toBeVisible();

  await test.step("two services and the call between them", async () => {
    await hands.point(designer.canvas, { x: 420, y: 120 });
    await hands.press("s");
    await expect(designer.naming).toBeFocused();
    await hands.type("Checkout");
    await hands.press("Enter");
    const lower = await designer.portAt(designer.node("Checkout"), "bottom");
    await hands.drag(lower, { x: lower.x, y: lower.y + 70 });
    await expect(page.getByRole("combobox", { name: "Find something to add" })).toBeFocused();
    await hands.type("Price");
    await hands.press("Enter");
    await expect(designer.node("Price")).toBeVisible();
    await expect(designer.canvas.locator(".react-flow__edge")).toHaveCount(1);
  });

  await test.step("a hundred events a second", async () => {
    await designer.node("Checkout").hover();
    await hands.press("t");
    await expect(designer.canvas.locator(".react-flow__edge")).toHaveCount(2);
    await designer.expectNoErrors();
    await hands.press("F5");
    await designer.awaitRunning();
    await expect(designer.treeRow("Events")).toContainText(/[1-9]\d*(\.\d)?\s*\/s/);
    await expect(designer.treeRow("Checkout")).toContainText(/\d\s*\/s/);
    // Its start says so to whoever asks; the one of Checkout asks it.
    await expect(designer.treeRow("Price")).toContainText("unwritten");
    await expect(designer.treeRow("Checkout")).not.toContainText("unwritten");
  });

  await test.step("one call, and what became of it", async () => {
    await hands.click(designer.node("Checkout"));
    const send = designer.inspector.getByRole("button", { name: "Send" });
    // Nobody has to scroll for it.
    await expect(send).toBeInViewport({ ratio: 1 });
    await hands.click(send);
    await expect(designer.inspector).toContainText("Price is not written yet");
    const way = designer.inspector.getByRole("table", { name: "Trace" });
    await expect(way.getByRole("row")).toHaveText([/^Trace/, /^Checkout.*failed/, /^Price.*failed/]);
  });
  expect(hands.actions).toBe(12);

  await test.step("its handler, completed from the drawing as it is typed", async () => {
    await designer.treeRow("Price").click();
    await designer.inspector.getByRole("button", { name: "Edit the handler" }).click();
    const editor = page.locator(".cm-content");
    await expect(editor).toBeFocused();
    await expect(editor).toContainText("Price::handle");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// request.");
    await expect(page.getByRole("listbox", { name: "Completions" })).toContainText("field");
  });
});

test("should draw two services from nothing, build them, run them and change their threads", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  await designer.createProject("shop");

  await test.step("messages", async () => {
    await designer.view("Messages");
    await page.getByRole("button", { name: "Add the first message" }).click();
    await designer.nameFocused("Order");
    await designer.addField("Order", "amount", "int64");
    await page.getByRole("button", { name: "Add message" }).click();
    await designer.nameFocused("Receipt");
    await designer.addField("Receipt", "total", "int64");
  });

  await test.step("services, by key and from the palette", async () => {
    await designer.view("Flow");
    await designer.addByKey("a", { x: 420, y: 140 }, "Checkout");
    await designer.setTypes("Order", "Receipt");
    await designer.dragFromPalette("Simple service", { x: 420, y: 340 }, "Price");
    await designer.setTypes("Order", "Receipt");
  });

  await test.step("a call, a source and its stage", async () => {
    await designer.connectCall("Checkout", "Price");
    await designer.addByKey("t", { x: 120, y: 140 }, "Orders");
    await designer.inspector.getByLabel("Event", { exact: true }).selectOption("Order");
    await designer.inspector.getByLabel("Events per second").fill("200");
    await page.keyboard.press("Enter");
    await designer.connectFlow("Orders", "Checkout");
  });

  await test.step("a flow of requests into the same service", async () => {
    await designer.addByKey("t", { x: 120, y: 340 }, "Posted");
    await designer.inspector.getByLabel("Event", { exact: true }).selectOption("Order");
    await designer.inspector.getByLabel("Kind", { exact: true }).selectOption("File");
    await expect(designer.inspector.getByLabel("File", { exact: true })).toHaveValue("events.jsonl");
    await designer.inspector.getByLabel("Kind", { exact: true }).selectOption("HTTP");
    await designer.inspector.getByLabel("Path", { exact: true }).fill("/orders");
    await page.keyboard.press("Enter");
    await designer.connectFlow("Posted", "Checkout");
  });

  await test.step("in the bundle and the binary that it began with", async () => {
    await expect(page.getByRole("contentinfo")).toContainText(/(?<!\d)1 error/);
    await designer.treeRow("shop").click();
    await designer.inspector.getByLabel("HTTP", { exact: true }).fill("127.0.0.1:0");
    await page.keyboard.press("Enter");
    await designer.expectNoErrors();
  });

  await test.step("a pool pinned to CPU 0, with a service dragged onto it", async () => {
    await designer.view("Threads");
    await page.getByRole("button", { name: "Add a pool" }).click();
    await designer.rename("prices");
    await designer.drag(
      page.getByRole("button", { name: "Service Price" }).first(),
      page.getByRole("article", { name: "Thread prices·0" }),
    );
    await designer.drag(
      page.getByRole("article", { name: "Thread prices·0" }),
      page.getByRole("region", { name: "CPU 0" }),
    );
    await expect(
      page.getByRole("region", { name: "CPU 0" }).getByRole("article", { name: "Thread prices·0" }),
    ).toBeVisible();
  });

  await test.step("the handlers", async () => {
    await designer.generate();
    await expect(designer.treeRow("Price")).toContainText("unwritten");
    await designer.writeHandler("Checkout", [
      '#include "services/checkout.hpp"',
      "",
      "namespace shop {",
      "",
      "penstock::Task<Receipt> Checkout::handle(const Order& request) {",
      "co_return co_await calls.Price(request);",
      "}",
      "",
      "}",
    ]);
    await designer.writeHandler("Price", [
      '#include "services/price.hpp"',
      "",
      "namespace shop {",
      "",
      "Receipt Price::handle(const Order& request) { return {.total = request.amount * 2}; }",
      "",
      "}",
    ]);
  });

  await test.step("runs, with figures that move", async () => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await designer.awaitRunning();
    await designer.view("Flow");
    await expect(designer.treeRow("Checkout")).toContainText(/[1-9]\d*(\.\d)?\s*\/s/);
    await expect(designer.treeRow("Price")).toContainText(/[1-9]\d*(\.\d)?\s*\/s/);
  });

  await test.step("answers a posted event with the flow's result, and counts it", async () => {
    await designer.treeRow("Posted").click();
    const door = designer.inspector.getByText(/^http:\/\/127\.0\.0\.1:\d+\/orders$/);
    const answer = await post((await door.textContent())!, { amount: "21" });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { total: "42" }]);
    await expect.poll(async () => (await nodeOf(penstock, "shop", "flow:Posted")).total).toBe(1);
  });

  await test.step("a live resize shows in the process", async () => {
    await designer.treeRow("prices").click();
    await designer.inspector.getByLabel(/of pool prices/).fill("3");
    await designer.inspector.getByRole("button", { name: "Apply" }).first().click();
    await expect(designer.inspector).toContainText("3 running");
  });

  await test.step("stops, and is there again when reopened", async () => {
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(designer.statePill).toContainText(/not running|built/);
    await designer.awaitSaved();
    const before = await designer.boxes();
    await page.reload();
    // Once in each flow.
    await expect(designer.node("Checkout")).toHaveCount(2);
    await expect(designer.node("Price")).toBeVisible();
    await expect.poll(() => designer.boxes()).toEqual(before);
    await designer.treeRow("prices").click();
    await expect(designer.inspector.getByLabel(/of pool prices/)).toHaveValue("3");
  });
});
