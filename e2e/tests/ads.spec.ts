import path from "node:path";
import { expect, test } from "../support/penstock.js";
import { Designer } from "../support/designer.js";
import { monitor, nodeOf } from "../support/monitor.js";
import { processIn, threadsOf } from "../support/threadsOf.js";

/** Figures that hang on what the machine does beside are looked at in e2e/soak/ads-figures.spec.ts. */

test("should run the ads example as it is drawn, and change it while it runs", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  const folder = path.join(penstock.workspace, "ads");
  await designer.createFromExample("ads", "ads");
  await designer.run();

  await test.step("figures move", async () => {
    for (const name of ["GetAd", "ProduceAd"])
      await expect(designer.treeRow(name).locator(".live-figure")).toHaveText(/^\s*[1-9][\d.]*k?\s*\/s/);
  });

  await test.step("each worker is on the CPU that was drawn, under its drawn name", async () => {
    const pid = await processIn(folder);
    expect(pid).toBeDefined();
    // A thread takes its name and its place once it runs.
    await expect
      .poll(async () => {
        const threads = await threadsOf(pid!);
        const named = (name: string) => threads.filter((thread) => thread.name === name);
        const models = threads.filter(({ name }) => name.startsWith("models-")).length;
        return [...named("front-0"), ...named("models-0"), models];
      })
      .toEqual([{ name: "front-0", cpus: "0" }, { name: "models-0", cpus: "1" }, 40]);
    await designer.view("Threads");
    await expect(
      page.getByRole("region", { name: "CPU 0" }).getByRole("article", { name: "Thread front·0" }),
    ).toBeVisible();
    await designer.view("Flow");
  });

  await test.step("a rate set in the inspector is in force", async () => {
    await designer.treeRow("Impressions").click();
    for (const rate of ["20", "200"]) {
      await designer.inspector.getByLabel("Events per second").fill(rate);
      await designer.inspector.getByRole("button", { name: "Apply" }).first().click();
      await expect(designer.inspector).toContainText(`${rate} asked`);
      // No machine makes 200 a second of 20; so few of 200 one makes only while it has no time.
      await expect
        .poll(async () => (await nodeOf(penstock, "ads", "flow:Impressions")).callsPerSecond > 40)
        .toBe(rate === "200");
    }
  });

  await test.step("a pool that is made smaller is so in the process, and Tune tries sizes and goes back", async () => {
    const threads = async () =>
      (await monitor(penstock, "ads")).pools.find(({ node }) => node === "pool:ads-server/models")?.threads;
    await designer.treeRow("models").click();
    await designer.inspector.getByLabel("Count of pool models").fill("5");
    await designer.inspector.getByRole("button", { name: "Apply" }).first().click();
    await expect(designer.inspector).toContainText("5 asked · 5 running");
    await expect.poll(threads).toBe(5);
    await designer.inspector.getByRole("button", { name: "Tune…" }).click();
    const dialog = page.getByRole("dialog", { name: "Tune pool models" });
    await dialog.getByLabel("Threads at least").fill("4");
    await dialog.getByLabel("Threads at most").fill("8");
    await dialog.getByLabel("Seconds for each size").fill("1");
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await expect(dialog.getByRole("status")).toHaveText(
      /^Now \d+ threads?, 5 before: |^5 threads are the best already: /,
    );
    await page.keyboard.press("Escape");
    await designer.view("Flow");
  });

  await test.step("stops", async () => {
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(designer.statePill).toHaveText("not running");
    await expect.poll(() => processIn(folder)).toBeUndefined();
  });
});
