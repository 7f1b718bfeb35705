import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "../support/penstock.js";
import { Designer } from "../support/designer.js";
import { monitor } from "../support/monitor.js";

test("should draw a rule between two presets, see it change them, and let it rest for a change by hand", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  const { inspector } = designer;
  const rule = inspector.getByRole("group", { name: "Rule of Exercises" });
  const drawn = () =>
    JSON.parse(readFileSync(path.join(penstock.workspace, "ruled", "topology.json"), "utf8")).binaries[0];
  const threads = async () =>
    (await monitor(penstock, "ruled")).pools.find(({ node }) => node === "pool:hello/sums")?.threads;
  const resize = async (count: number) => {
    await designer.treeRow("sums").click();
    await inspector.getByLabel(/of pool sums/).fill(String(count));
    await inspector.getByRole("button", { name: "Apply" }).first().click();
  };
  const save = async (preset: string) => {
    await designer.treeRow("hello").click();
    await inspector.getByLabel("Name of the preset").fill(preset);
    await inspector.getByLabel("Name of the preset").press("Enter");
    await expect(inspector.getByRole("listitem", { name: `Preset ${preset}` })).toBeVisible();
  };
  const set = async (label: RegExp, value: string) => {
    await rule.getByLabel(label).fill(value);
    await rule.getByLabel(label).press("Enter");
  };

  await designer.createFromExample("hello", "ruled");
  await save("calm");
  await resize(3);
  await save("busy");
  await inspector.getByRole("button", { name: "Draw calm" }).click();

  await test.step("drawn, and seen in the file", async () => {
    await inspector.getByRole("button", { name: "Change between presets by itself" }).click();
    await set(/^Below so many/, "1");
    await set(/^Above so many/, "5");
    // Longer than a busy machine keeps a thread waiting.
    await set(/^Seconds that a rate/, "3");
    await expect
      .poll(() => drawn().rules)
      .toEqual([
        {
          of: "Exercises",
          below: { perSecond: 1, preset: "calm" },
          above: { perSecond: 5, preset: "busy" },
          forSeconds: 3,
        },
      ]);
    await designer.expectNoErrors();
  });

  // Twenty exercises a second.
  await test.step("it brings the preset of the rate into force", async () => {
    await designer.run();
    await expect(rule).toContainText("by the rule");
    await expect(rule).toContainText(/Now\s*busy/);
    await expect.poll(threads).toBe(3);
    expect(drawn().pools[1].threads).toBe(1);
  });

  await test.step("a change by hand lets it rest, until it is let go again", async () => {
    await resize(2);
    await designer.treeRow("hello").click();
    await expect(rule).toContainText("At rest");
    await expect.poll(threads).toBe(2);
    await rule.getByRole("button", { name: "Let it change presets again" }).click();
    await expect(rule).not.toContainText("At rest");
    await expect.poll(threads).toBe(3);
  });
});
