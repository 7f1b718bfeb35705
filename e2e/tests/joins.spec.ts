import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "../support/penstock.js";
import { Designer } from "../support/designer.js";
import { monitor, nodeOf } from "../support/monitor.js";
import { processIn, threadsOf } from "../support/threadsOf.js";

const OWN_POOL = "pool:ads-server/Impressions.log";

test("should put a join before a stage of a running flow, change it and take it out", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  const folder = path.join(penstock.workspace, "joined");
  const slot = page.getByRole("button", { name: /^(Join|Slot) before log\b/ });
  const form = page.getByRole("dialog", { name: "Join before LogAd" });
  const drawnJoin = async () => {
    const drawn = JSON.parse(await readFile(path.join(folder, "topology.json"), "utf8"));
    return drawn.flows[0].stages[1].join ?? null;
  };
  const ownPool = async () =>
    (await monitor(penstock, "joined")).pools.find(({ node }) => node === OWN_POOL)?.threads ?? 0;
  /** Waits until the page was told so by the binary: of that a preset is made, and with that it is compared. */
  const told = async (now: string) => {
    await slot.click();
    await expect(form).toContainText(now);
    await page.keyboard.press("Escape");
    await expect(form).toBeHidden();
  };
  const logged = async () => (await nodeOf(penstock, "joined", "service:LogAd")).total;

  await designer.createFromExample("ads", "joined");
  await designer.run();
  await expect(designer.treeRow("LogAd").locator(".live-figure")).toHaveText(/^\s*[1-9][\d.]*k?\s*\/s/);

  await test.step("an empty slot takes threads of its own, by keyboard alone", async () => {
    await slot.focus();
    await page.keyboard.press("Enter");
    await expect(form.getByRole("radio", { name: /^No join/ })).toBeFocused();
    await expect(form).toContainText("Now on the thread of the stage before it.");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(form.getByRole("radio", { name: /^Threads of its own/ })).toBeChecked();
    await form.getByLabel("Number of threads").fill("2");
    await page.keyboard.press("Enter");
    await expect(form).toBeHidden();
  });

  await test.step("it is in force in the process, on the canvas and in the document", async () => {
    await expect(page.getByRole("button", { name: "Join before log: its own 2 threads" })).toBeVisible();
    await expect.poll(ownPool).toBe(2);
    const pid = await processIn(folder);
    // The kernel keeps 15 characters of "Impressions.log-0", from when the thread runs.
    const own = async () => (await threadsOf(pid!)).filter(({ name }) => name.startsWith("Impressions."));
    await expect.poll(own).toHaveLength(2);
    await designer.awaitSaved();
    expect(await drawnJoin()).toEqual({ threads: 2 });
  });

  await test.step("events go on through it, none is lost", async () => {
    const before = await logged();
    await expect.poll(logged).toBeGreaterThan(before + 100);
    // Only GetAd fails, where a busy machine's models have answered too late: before the join.
    expect((await nodeOf(penstock, "joined", "service:LogAd")).errors).toBe(0);
    // What has completed was logged; what has not is on its way. Counts of one answer are not of one moment.
    await expect
      .poll(async () => {
        const { nodes } = await monitor(penstock, "joined");
        const [flow, log] = ["flow:Impressions", "service:LogAd"].map((ref) =>
          nodes.find(({ node }) => node === ref),
        );
        return Math.abs((log?.total ?? 0) - (flow?.total ?? 0)) <= (flow?.inFlight ?? 0);
      })
      .toBe(true);
  });

  await test.step("the way of a sampled event shows each stage on its thread", async () => {
    await page.getByRole("tab", { name: "Trace" }).click();
    const way = page.getByRole("table", { name: "Way of an event through Impressions" });
    // An event from before the join may still be the newest.
    await expect(way.getByRole("row").filter({ hasText: "LogAd" })).toContainText(/Impressions\.log·[01]/);
    await expect(way.getByRole("row").filter({ hasText: "GetAd" })).toContainText("front·0");
    // One that failed at GetAd, as a busy machine's do, came no further.
    const completed = page.getByRole("list", { name: "Events of Impressions" }).getByTitle("completed");
    await completed.first().click();
    await expect(way).toContainText("completed");
    await way.getByRole("button", { name: "LogAd" }).click();
    await expect(designer.inspector).toContainText("log");
  });

  await test.step("it is changed to a pool of the binary", async () => {
    await slot.click();
    await expect(form).toContainText(/Now on its own threads: \d of 2 busy, \d+ of 1024 waiting\./);
    await form.getByText("A pool of the binary").click();
    await form.getByLabel("Pool of the join").selectOption("models");
    await form.getByRole("button", { name: "Apply live" }).click();
    await expect(form).toBeHidden();
    await expect(
      page.getByRole("button", { name: "Join before log: pool models, 40 threads" }),
    ).toBeVisible();
    await expect.poll(ownPool).toBe(0);
  });

  await test.step("what the binary refuses changes nothing and says why", async () => {
    const refused = await penstock.cli("set", folder, "join.set", "Impressions", "log", "modles");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('there is no pool "modles"');
    await designer.awaitSaved();
    expect(await drawnJoin()).toEqual({ pool: "models" });
  });

  await test.step("how it runs is kept as a preset, and comes back after a change", async () => {
    await told("Now on models:");
    await designer.treeRow("ads-server").click();
    await designer.inspector.getByLabel("Name of the preset").fill("night");
    await page.keyboard.press("Enter");
    await expect(designer.inspector.getByRole("listitem", { name: "Preset night" })).toBeVisible();
    await slot.click();
    await form.getByRole("button", { name: "Remove join" }).click();
    await expect(page.getByRole("button", { name: "Slot before log: put a join here" })).toBeVisible();
    await designer.awaitSaved();
    expect(await drawnJoin()).toBeNull();
    await told("Now on the thread of the stage before it.");
    await designer.treeRow("ads-server").click();
    await designer.inspector.getByRole("button", { name: "Apply night live" }).click();
    await expect(
      page.getByRole("button", { name: "Join before log: pool models, 40 threads" }),
    ).toBeVisible();
    await expect
      .poll(async () => (await penstock.cli("preset", "diff", folder, "night")).stderr)
      .toContain("night is the same as what runs.");
  });

  await test.step("undo draws the slot empty again, and Apply live brings that into force", async () => {
    await designer.focusCanvas();
    await page.keyboard.press("Control+z");
    await expect(page.getByRole("button", { name: "Slot before log: put a join here" })).toBeVisible();
    await page.getByRole("button", { name: /^Apply live/ }).click();
    await slot.click();
    await expect(form).toContainText("Now on the thread of the stage before it.");
    await page.keyboard.press("Escape");
    const before = await logged();
    await expect.poll(logged).toBeGreaterThan(before + 50);
  });

  await test.step("while nothing runs a rule refuses what a binary would", async () => {
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(designer.statePill).toHaveText("not running");
    await designer.treeRow("LogAd").click();
    await designer.inspector.getByLabel("Kind", { exact: true }).selectOption("sync-remote");
    await slot.click();
    await form.getByText("A pool of the binary").click();
    await form.getByLabel("Pool of the join").selectOption("front");
    await form.getByRole("button", { name: "Apply", exact: true }).click();
    await expect(form.getByRole("alert")).toContainText('runs on one thread of the pool "front"');
    await form.getByText("Threads of its own").click();
    await form.getByRole("button", { name: "Apply", exact: true }).click();
    await expect(form).toBeHidden();
    await designer.expectNoErrors();
  });
});
