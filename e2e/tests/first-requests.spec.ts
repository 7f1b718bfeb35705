import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";

test("should ask for the project, and for its letters, while its script is on the way", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  await designer.createFromExample("ads", "first");
  await expect(designer.node("GetAd")).toBeVisible();
  const asked = page.waitForRequest(/\/api\/projects\/[0-9a-f]+$/, { timeout: 0 });
  await page.route(/\/assets\/page-[^/]+\.js$/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.reload();
  await expect(designer.node("GetAd")).toBeVisible();
  // An entry is there once its file has come.
  const fonts = () =>
    page.evaluate(() =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter(({ name }) => name.endsWith(".woff2"))
        .map(
          ({ name, initiatorType }) => `${name.replace(/.*\//, "").replace(/-.*/, "")} by ${initiatorType}`,
        )
        .toSorted(),
    );
  await expect.poll(fonts).toEqual(["inter by link", "jetbrains by link"]);
});

test("should start with three files of script, read side by side, however many parts share what is in them", async ({
  signedIn: page,
}) => {
  const html = await (await page.request.get(page.url(), { timeout: 0 })).text();
  const scripts = [...html.matchAll(/assets\/([a-z-]+?)-[^/]{8}\.js/g)].map(([, name]) => name ?? "");
  expect([...new Set(scripts)].toSorted()).toEqual([
    "early",
    "libraries",
    "page",
    "react",
    "rolldown-runtime",
  ]);
});
