import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";

const protos = fileURLToPath(new URL("../../codegen/test/protos/", import.meta.url));
const openTelemetry = readdirSync(path.join(protos, "opentelemetry"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".proto"))
  .map((file) => path.join(protos, "opentelemetry", file));

interface Dropped {
  name: string;
  text: string;
}

/** As the browser hands over files that are dropped on an element. */
async function drop(page: Page, onto: Locator, files: readonly Dropped[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, text } of list) data.items.add(new File([text], name));
    return data;
  }, files);
  await onto.dispatchEvent("dragover", { dataTransfer });
  await onto.dispatchEvent("drop", { dataTransfer });
}

const proto = (name: string, ...lines: string[]): Dropped => ({
  name,
  text: ['syntax = "proto3";', "package shop;", ...lines].join("\n"),
});

test("should draw what dropped files describe, after a look at it, as one step", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  await designer.createProject("collector", "hello");
  const saved = () => readFileSync(path.join(penstock.workspace, "collector/topology.json"), "utf8");
  const before = saved();
  const dialog = page.getByRole("dialog", { name: "Import 11 files" });
  const files = openTelemetry.map((file) => ({
    name: path.basename(file),
    text: readFileSync(file, "utf8"),
  }));

  await test.step("the plan, before anything is changed", async () => {
    await drop(page, designer.canvas, files);
    await expect(dialog.getByText("Adds 61 messages, 7 enums, 4 services, 4 bundles.")).toBeVisible();
    await expect(dialog.getByText("opentelemetry.proto.trace.v1.Span.Link")).toBeVisible();
    expect(saved()).toBe(before);
  });

  await test.step("drawn below what was there, and in view", async () => {
    await dialog.getByRole("button", { name: "Add to the drawing" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(designer.node("TraceServiceExport").first()).toBeInViewport();
    await expect(designer.node("Export").first()).toBeInViewport();
    await designer.expectNoErrors();
    await designer.awaitSaved();
    expect(saved()).toContain('"TraceServiceExport"');
  });

  await test.step("a oneof whose name can be read beside its many alternatives", async () => {
    await designer.view("Messages");
    const name = page.getByRole("textbox", { name: "Name of oneof value" }).first();
    await expect(name).toHaveValue("value");
    expect((await name.boundingBox())?.width).toBeGreaterThan(100);
    await designer.view("Flow");
  });

  await test.step("undo takes all of it back", async () => {
    await page.keyboard.press("Control+z");
    await expect(designer.node("TraceServiceExport")).toHaveCount(0);
    await designer.awaitSaved();
    expect(saved()).toBe(before);
  });

  await test.step("what the command line imports is drawn, too, while one looks", async () => {
    const file = path.join(penstock.workspace, "cart.proto");
    const text = "message Item {}\nservice Cart { rpc AddItem(Item) returns (Item); }";
    writeFileSync(file, `syntax = "proto3";\npackage shop;\n${text}\n`);
    const imported = await penstock.cli("import", file, path.join(penstock.workspace, "collector"), "--yes");
    expect(imported.code, imported.stderr).toBe(0);
    await expect(designer.treeRow("AddItem").first()).toBeVisible();
  });
});

test("should say at which line a file cannot be read, and go on with the one that was missing", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  await designer.createProject("orders");
  const picked = page.waitForEvent("filechooser");
  await designer.command("Import .proto or IDL");
  const order = proto("order.proto", 'import "v1/item.proto";', "message Order { Item item = 1; }");
  await (
    await picked
  ).setFiles({ name: order.name, mimeType: "text/plain", buffer: Buffer.from(order.text) });
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toContainText(
    "order.proto:3imports v1/item.proto, which is not found",
  );
  await expect(dialog.getByRole("button", { name: "Add to the drawing" })).toBeDisabled();

  await drop(page, dialog.getByRole("alert"), [
    proto("item.proto", "message Item { sint32 number = 1; map<string, double> prices = 2; }"),
  ]);
  await expect(dialog.getByText("Adds 2 messages.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Add to the drawing" })).toBeFocused();
  await page.keyboard.press("Enter");
  const card = page.getByRole("region", { name: "Message Item" });
  await expect(card).toBeVisible();
  await expect(card.getByLabel("Type of number")).toHaveValue("sint32");
});

test("should leave out what has no counterpart only when told so, and draw IDL beside .proto", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  await designer.createProject("calc");
  await drop(page, designer.canvas, [
    proto(
      "feed.proto",
      "message Item {}",
      "service Feed {",
      "  rpc Listen(Item) returns (stream Item);",
      "}",
    ),
    { name: "calc.idl", text: "interface Calc { int add(in int a, in int b); };" },
    { name: "notes.txt", text: "" },
  ]);
  const dialog = page.getByRole("dialog", { name: "Import 2 files" });
  await expect(dialog.getByText("Not read: notes.txt.")).toBeVisible();
  await expect(dialog.getByText("shop.Feed.Listen: a stream")).toContainText("feed.proto:5");
  const add = dialog.getByRole("button", { name: "Add to the drawing" });
  await expect(add).toBeDisabled();
  await dialog.getByRole("checkbox", { name: "Leave out, and import the rest" }).check();
  await add.click();
  await expect(designer.node("CalcAdd").first()).toBeVisible();
});
