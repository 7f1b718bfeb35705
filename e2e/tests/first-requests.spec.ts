import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";

test("should ask for the project, and for its letters, while its script is on the way", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  await designer.createFromExample("ads", "first");
  await expect(designer.node("GetAd")).toBeVisible();
  const asked = page.waitForRequest(/\/api\/projects\/[0-9a-f]+$/, { timeout: 0 });
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.reload();
  await expect(designer.node("GetAd")).toBeVisible();
  const loaded = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).map(
      ({ name, initiatorType }) => ({ file: name.replace(/.*\//, ""), by: initiatorType }),
    ),
  );
  const fonts = loaded.filter(({ file }) => file.endsWith(".woff2"));
  expect(fonts.map(({ file }) => file.replace(/-.*/, "")).toSorted()).toEqual(["inter", "jetbrains"]);
  expect(new Set(fonts.map(({ by }) => by))).toEqual(new Set(["link"]));
});

test("should start with one file of script, however many parts share what is in it", async ({
  signedIn: page,
}) => {
  const html = await (await page.request.get(page.url())).text();
  const scripts = [...html.matchAll(/assets\/([a-z-]+?)-[^/]{8}\.js/g)].map(([, name]) => name ?? "");
  expect([...new Set(scripts)].toSorted()).toEqual(["early", "index", "rolldown-runtime"]);
});
