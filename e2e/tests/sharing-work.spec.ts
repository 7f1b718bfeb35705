import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";

interface Drawing {
  services: { name: string; partitionBy?: string }[];
}

/** The saved drawing of a project, as it is on the disk now. */
const drawing = (workspace: string, project: string): Drawing =>
  JSON.parse(readFileSync(path.join(workspace, project, "topology.json"), "utf8")) as Drawing;

const undo = (page: Page): Promise<void> => page.getByRole("button", { name: "Undo" }).click();
const redo = (page: Page): Promise<void> => page.getByRole("button", { name: "Redo" }).click();

test("should divide a single-threaded service by a field, in the file too, and take it back", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  await designer.createProject("divided", "ads");
  const inFile = () =>
    drawing(penstock.workspace, "divided").services.find(({ name }) => name === "LogAd")?.partitionBy;

  await designer.treeRow("GetAd").click();
  await expect(designer.inspector.getByLabel("Request", { exact: true })).toHaveValue("AdRequest");
  await expect(designer.inspector.getByLabel("Partition by")).toHaveCount(0);

  await designer.treeRow("LogAd").click();
  const field = designer.inspector.getByLabel("Partition by");
  // A score is no value to divide by: two that are equal may be written differently.
  await expect(field.getByRole("option")).toHaveText(["Not: one at a time", "text"]);
  await expect(field).toHaveValue("+none");
  await field.selectOption("text");
  await expect.poll(inFile).toBe("text");
  await designer.expectNoErrors();

  await undo(page);
  await expect(field).toHaveValue("+none");
  await expect.poll(inFile).toBeUndefined();
  await redo(page);
  await expect(field).toHaveValue("text");
  await expect.poll(inFile).toBe("text");
  await field.selectOption("Not: one at a time");
  await expect.poll(inFile).toBeUndefined();
});

test("should show how much the idle threads of a pool take from busy ones", async ({ signedIn: page }) => {
  const designer = new Designer(page);
  await designer.createProject("stealing", "hello");
  const stolen = designer.inspector.getByText(/by idle threads$/);

  await test.step("runs with one slow question among quick ones", async () => {
    await designer.treeRow("sums").click();
    await designer.inspector.getByLabel(/of pool sums/).fill("2");
    await designer.inspector.getByRole("button", { name: "Apply" }).first().click();
    await designer.generate();
    await designer.writeHandler("Addition", [
      '#include "services/addition.hpp"',
      "",
      "#include <chrono>",
      "#include <thread>",
      "",
      "namespace hello {",
      "",
      "Sum Addition::handle(const Terms& request) {",
      "std::this_thread::sleep_for(std::chrono::milliseconds(request.a));",
      "return {.value = request.a + request.b};",
      "}",
      "",
      "}",
    ]);
    await designer.writeHandler("Multiplication", [
      '#include "services/multiplication.hpp"',
      "",
      "namespace hello {",
      "",
      "penstock::Task<Product> Multiplication::handle(const Factors& request) {",
      "auto slow = calls.Addition({.a = 20, .b = request.y});",
      "auto one = calls.Addition({.a = 1, .b = 1});",
      "auto two = calls.Addition({.a = 1, .b = 2});",
      "auto three = calls.Addition({.a = 1, .b = 3});",
      "auto four = calls.Addition({.a = 1, .b = 4});",
      "co_await one;",
      "co_await two;",
      "co_await three;",
      "co_await four;",
      "co_return Product{.value = (co_await slow).value};",
      "}",
      "",
      "}",
    ]);
    await designer.view("Flow");
    await designer.treeRow("sums").click();
    await expect(stolen).toHaveCount(0);
    await designer.run();
  });

  await test.step("the pool and its threads say what was taken", async () => {
    await expect(stolen).toHaveText(/^[1-9]\d*(\.\d)?\/s by idle threads$/);
    await designer.view("Threads");
    await expect(
      page
        .getByRole("article", { name: /^Thread sums·/ })
        .getByText(/stole /)
        .first(),
    ).toHaveText(/^stole [1-9]\d*(\.\d)?\/s$/);
    await expect(page.getByRole("article", { name: "Thread front·0" })).not.toContainText("stole");
  });
});
