import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";
import { post } from "../support/post.js";
import { seriousViolations } from "../support/seriousViolations.js";

test("should let any program ask a service that has the tick, at the route that its inspector shows", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  await designer.createFromExample("ads", "exposed");
  const getAd = page.getByRole("group", { name: "Service GetAd" });
  const route = "/twirp/ads.AdBundle/GetAd";

  await test.step("one tick, and the node has a sign", async () => {
    await designer.treeRow("GetAd").first().click();
    const tick = designer.inspector.getByLabel("Expose over HTTP");
    const sign = getAd.getByLabel("GetAd is exposed over HTTP");
    await expect(sign).toBeVisible();
    await tick.uncheck();
    await expect(sign).toHaveCount(0);
    await tick.check();
    await expect(designer.inspector.getByText(route, { exact: true })).toBeVisible();
    await expect(sign).toBeVisible();
  });

  await test.step("asked over HTTP it answers, and is counted", async () => {
    await designer.run();
    const shown = designer.inspector.getByText(/^http:\/\/127\.0\.0\.1:\d+\/twirp\/ads\.AdBundle\/GetAd$/);
    const url = (await shown.textContent())!;
    let answer = await post(url, { cookie: "c", site: "s" });
    // On a busy machine no model answers within its 100 ms: then it says so, and is asked again.
    while (answer.status === 503) answer = await post(url, { cookie: "c", site: "s" });
    expect(answer.status, answer.text).toBe(200);
    expect(JSON.parse(answer.text)).toHaveProperty("text");
  });

  await test.step("it is offered for a load by its name", async () => {
    const dock = page.getByRole("region", { name: "Dock" });
    await dock.getByRole("tab", { name: "Load", exact: true }).click();
    await dock.getByLabel("What to load").selectOption({ label: "GetAd over HTTP" });
    await expect(dock.getByLabel("Address")).toHaveValue(/\/twirp\/ads\.AdBundle\/GetAd$/);
  });

  await test.step("its page, opened from Try, begins with a request and shows what is answered", async () => {
    const opened = page.context().waitForEvent("page");
    await designer.inspector.getByRole("link", { name: "Open the page of this service" }).click();
    const tab = await opened;
    const body = tab.getByLabel("Request", { exact: true });
    const status = tab.locator("#status");
    /** Until it is answered so: what a busy machine had no time to read (408) is sent again. */
    const send = async (expected: RegExp): Promise<void> => {
      await expect(async () => {
        await body.press("Control+Enter");
        await expect(status).toHaveText(/^\d{3} |^No answer/);
        expect(await status.textContent()).toMatch(expected);
      }).toPass();
    };
    await expect(tab.getByRole("heading", { name: "GetAd", exact: true })).toBeVisible();
    await expect(body).toHaveValue('{\n  "cookie": "",\n  "site": ""\n}');
    await tab.getByLabel("Wait at most").fill("3600000");
    await body.fill('{"cookie": "it\'s", "site": "s"}');
    await expect(tab.getByText(`--data-raw '{"cookie": "it'\\''s", "site": "s"}'`)).toBeVisible();
    await send(/^200 OK · [\d.]+ ms · \d+ B$/);
    expect(JSON.parse((await tab.getByRole("region", { name: "Answer" }).textContent())!)).toHaveProperty(
      "text",
    );

    await body.fill('{"cookie": 1}');
    await send(/^400 Bad Request · /);
    await expect(tab.getByRole("region", { name: "Answer" })).toContainText('"code": "malformed"');
    await expect(tab.getByRole("region", { name: "Answer" })).toContainText('"pointer": "/cookie"');
    await tab.getByRole("button", { name: "Start again" }).click();
    await expect(body).toHaveValue('{\n  "cookie": "",\n  "site": ""\n}');

    for (const colorScheme of ["dark", "light"] as const) {
      await tab.emulateMedia({ colorScheme });
      expect(await seriousViolations(tab, "body")).toEqual([]);
    }
    for (const width of [360, 1920]) {
      await tab.setViewportSize({ width, height: 800 });
      expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});
