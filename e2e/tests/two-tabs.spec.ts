import type { WebSocketRoute } from "@playwright/test";
import { expect, test } from "../support/penstock.js";
import { Designer } from "../support/designer.js";

test("should show both versions when two tabs save the same project", async ({ signedIn: page, context }) => {
  const mine = new Designer(page);
  await mine.createProject("shared");
  await mine.addByKey("s", { x: 420, y: 140 }, "Common");
  await mine.awaitSaved();

  // The second tab hears of nothing and saves nothing until it is let through.
  const other = await context.newPage();
  let heldUp = true;
  await other.routeWebSocket(/\/api\/socket/, () => undefined);
  await other.route("**/api/projects/**", (route) =>
    heldUp && route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  await other.goto(page.url());
  const theirs = new Designer(other);
  await expect(theirs.node("Common")).toBeVisible();
  await theirs.addByKey("s", { x: 420, y: 340 }, "FromTheOther");
  await expect(other.getByRole("banner")).toContainText("not saved");

  await mine.addByKey("s", { x: 160, y: 340 }, "FromTheFirst");
  await mine.awaitSaved();
  heldUp = false;

  await test.step("the later one is asked, with what each side has", async () => {
    const dialog = other.getByRole("dialog", { name: "This project was changed elsewhere" });
    await expect(dialog).toBeVisible();
    await expect(dialog.getByRole("region", { name: "Only in yours" })).toContainText("FromTheOther");
    await expect(dialog.getByRole("region", { name: "Only in theirs" })).toContainText("FromTheFirst");
    await dialog.getByRole("button", { name: "Decide later" }).click();
    await expect(theirs.node("FromTheOther")).toBeVisible();
    await other.getByRole("button", { name: /decide between two versions/ }).click();
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await expect(dialog).toBeHidden();
    await theirs.awaitSaved();
  });

  await test.step("the first tab follows", async () => {
    await expect(mine.node("FromTheOther")).toBeVisible();
    await expect(mine.node("FromTheFirst")).toBeHidden();
  });
  await other.close();
});

test("should reconnect by itself and show what happened meanwhile", async ({ signedIn: page, penstock }) => {
  const designer = new Designer(page);
  let away = false;
  let cut: (() => Promise<void>) | undefined;
  await page.routeWebSocket(/\/api\/socket/, (socket: WebSocketRoute) => {
    if (away) return void socket.close({ code: 1012, reason: "away" });
    const server = socket.connectToServer();
    cut = async () => {
      await server.close();
      await socket.close({ code: 1012, reason: "away" });
    };
  });
  await page.reload();
  await designer.createFromExample("hello", "hello");
  await designer.run();

  away = true;
  await cut?.();
  await expect(page.getByRole("contentinfo")).toContainText("server lost, trying again");
  expect((await penstock.cli("stop", `${penstock.workspace}/hello`)).code).toBe(0);

  away = false;
  await expect(page.getByRole("contentinfo")).not.toContainText("server lost");
  await expect(designer.statePill).toHaveText("not running");
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeEnabled();
});

test("should take the same page up again after the server was started anew", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  await designer.createProject("lasting");
  await designer.addByKey("s", { x: 420, y: 140 }, "Kept");
  await designer.awaitSaved();
  const fresh = await penstock.restart();
  // A token lasts as long as its server: the page says where a new address comes from.
  await expect(page.getByText("Open the address that Penstock printed")).toBeVisible();
  await expect(page.getByText("In whichever tab you open it, this page then goes on")).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(fresh);
  await expect(designer.node("Kept")).toBeVisible();
  await designer.addByKey("s", { x: 420, y: 340 }, "Later");
  await designer.awaitSaved();
});

test("should know in a browser that did not see the run that only live changes were drawn since", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  await designer.createFromExample("hello", "seen");
  await designer.run();
  await designer.treeRow("Exercises").click();
  await designer.inspector.getByLabel("Events per second").fill("7");
  await designer.inspector.getByRole("button", { name: "Apply" }).first().click();
  await expect(page.getByRole("contentinfo")).toContainText("+ live changes");

  // As any other browser has it.
  await designer.awaitSaved();
  await page.evaluate(() => localStorage.removeItem("penstock.ran"));
  await page.reload();
  await expect(page.getByRole("contentinfo")).toContainText("+ live changes");
});
