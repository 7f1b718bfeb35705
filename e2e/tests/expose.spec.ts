import { Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";
import { post } from "../support/post.js";

test("should let any program ask a service that has the tick, at the route that its inspector shows", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  await designer.createFromExample("ads", "exposed");
  const getAd = page.getByRole("group", { name: "Service GetAd" });
  const route = "/twirp/ads.AdBundle/GetAd";

  await test.step("one tick, and the node has a sign", async () => {
    await designer.treeRow("GetAd").first().click();
    await designer.inspector.getByLabel("Expose over HTTP").check();
    await expect(designer.inspector.getByText(route, { exact: true })).toBeVisible();
    await expect(getAd.getByLabel("GetAd is exposed over HTTP")).toBeVisible();
  });

  await test.step("asked over HTTP it answers, and is counted", async () => {
    await designer.run();
    const shown = designer.inspector.getByText(/^http:\/\/127\.0\.0\.1:\d+\/twirp\/ads\.AdBundle\/GetAd$/);
    const answer = await post((await shown.textContent())!, { cookie: "c", site: "s" });
    expect(answer.status, answer.text).toBe(200);
    expect(JSON.parse(answer.text)).toHaveProperty("text");
  });
});
