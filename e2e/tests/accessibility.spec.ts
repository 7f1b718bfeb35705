import { expect, test } from "../support/penstock.js";
import { Designer } from "../support/designer.js";
import { seriousViolations } from "../support/seriousViolations.js";

test("should have no serious fault of accessibility on any screen, dark or light", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  const bothThemes = async (what: string) => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect.soft(await seriousViolations(page), `${what}, ${colorScheme}`).toEqual([]);
    }
  };

  await expect(page.getByRole("button", { name: "New project" })).toBeVisible();
  await bothThemes("start screen");
  await designer.createFromExample("ads", "readable");
  await expect(designer.node("GetAd")).toBeVisible();
  await bothThemes("flow");
  await designer.treeRow("ProduceAd").click();
  await expect(designer.inspector.getByText("Implementations")).toBeVisible();
  await bothThemes("flow with a service selected");
  await designer.view("Threads");
  await expect(page.getByRole("article", { name: "Thread front·0" })).toBeVisible();
  await bothThemes("threads");
  await designer.view("Messages");
  await expect(page.getByRole("region", { name: "Message AdRequest" })).toBeVisible();
  await bothThemes("messages");
  await designer.generate();
  await designer.view("Code");
  await expect(page.locator(".cm-content")).toBeVisible();
  await bothThemes("code");
});
