import path from "node:path";
import { Designer } from "../support/designer.js";
import { monitor } from "../support/monitor.js";
import { expect, test } from "../support/penstock.js";

/** concor's Case 1: a database pool of one connection (MO_FLOW_CONNECTIONS in the fixture's environment). */
test("should find the database that has one connection, as the bottleneck of mo-flow", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  const folder = path.join(penstock.workspace, "case1");
  const card = page.getByRole("alert").filter({ hasText: "Bottleneck: pool database" });
  const threads = async () =>
    (await monitor(penstock, "case1")).pools.find(({ node }) => node === "pool:mo-server/database")?.threads;

  await designer.createFromExample("mo-flow", "case1");
  await designer.run();

  await test.step("at 100 messages a second nothing is in the way", async () => {
    await expect(designer.treeRow("HttpPost").locator(".live-figure")).toHaveText(
      /^\s*(9\d|1[01]\d)\s*\/s$/,
      {
        timeout: 30_000,
      },
    );
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  await test.step("at 1,000 it is the stage that asks the database, and no stage behind it", async () => {
    const set = await penstock.cli("set", folder, "source.set", "MoFlow", "1000");
    expect(set.code, set.stderr).toBe(0);
    await expect(card).toBeVisible({ timeout: 60_000 });
    await expect(card).toContainText(
      /6 of 6 threads busy for \d+ s, queue \d+ % full\. ResolveEndpoint (runs [\d.]+ ms an event (on average|\(median\))|takes most of their time)\./,
    );
    await expect(card).toContainText(
      /[\d.]+k?\/s × [\d.]+ ms(?: \(mean of all\))? = [\d.]+ busy on average, \+ [\d.]+ margin\./,
    );
    await expect(page.getByRole("alert").filter({ hasText: "Bottleneck" })).toHaveCount(1);
  });

  await test.step("threads are not what is missing: with more of them it stays", async () => {
    await card.getByRole("button", { name: /^Use \d+ threads$/ }).click();
    await expect.poll(threads).toBeGreaterThan(6);
    await expect(card).toContainText(/(\d{2,}) of \1 threads busy for \d+ s/);
    await expect(card).toContainText(/ResolveEndpoint: [\d.]+k?\/s .*p50 .*p99 /);
    const { nodes } = await monitor(penstock, "case1");
    const sent = nodes.find(({ node }) => node === "service:HttpPost");
    // 2 ms a query over one connection.
    expect(sent?.callsPerSecond).toBeLessThan(500);
    await card.getByRole("button", { name: "Undo, use 6 threads" }).click();
    await expect.poll(threads).toBe(6);
  });

  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(designer.statePill).toHaveText("not running");
});
