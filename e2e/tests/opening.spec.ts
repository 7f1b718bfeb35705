import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";

test("should ask three things before it shows the project in its address", async ({ signedIn: page }) => {
  const designer = new Designer(page);
  await designer.createFromExample("ads", "opening");
  await expect(designer.node("GetAd")).toBeVisible();
  // Noted in the page itself: whatever the one before still asks for is none of it.
  await page.addInitScript(() => {
    const asked: string[] = [];
    const ask = window.fetch;
    window.fetch = (what, options) => {
      asked.push(new URL(what instanceof Request ? what.url : what, location.href).pathname);
      return ask(what, options);
    };
    Object.assign(window, { asked });
  });
  // The list of projects was on the screen for a moment each time, with two requests of its own.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector(".start")) document.documentElement.dataset["started"] = "yes";
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await expect(designer.node("GetAd")).toBeVisible();
  const paths = await page.evaluate(() => (window as unknown as { asked: string[] }).asked);
  const asked = paths
    .filter((path) => path.startsWith("/api/"))
    .map((path) => path.replace(/projects\/[0-9a-f]+/, "projects/ID"));
  expect(asked.slice(0, 3)).toEqual(["/api/status", "/api/projects/ID", "/api/projects/ID/nodes"]);
  expect(asked.filter((path) => /^\/api\/(projects|examples)$/.test(path))).toEqual([]);
  await expect(page.locator("html[data-started]")).toHaveCount(0);
});
