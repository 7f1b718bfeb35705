import path from "node:path";
import { startByHand, type ByHand } from "../support/byHand.js";
import { COMPILED, Designer } from "../support/designer.js";
import { expect, test } from "../support/penstock.js";
import { expectSaid } from "../support/said.js";

const TOKEN = "0123456789abcdef";
let byHand: ByHand | undefined;
test.afterEach(() => byHand?.end());

test("should show and change what something else started, and never end it", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  await designer.createFromExample("hello", "attach");
  await designer.awaitSaved();
  const project = path.join(penstock.workspace, "attach");
  expect((await penstock.cli("build", project)).code).toBe(0);
  const begun = await startByHand(project, "hello", TOKEN);
  byHand = begun;
  const { name, control } = begun;

  const dialog = page.getByRole("dialog", { name: "Attach a process" });
  const processes = page.getByRole("region", { name: "Processes" }).getByRole("listitem");
  await test.step("a wrong token is said at the token", async () => {
    await designer.treeRow("hello").click();
    await page.getByRole("button", { name: "Attach a process…" }).click();
    await dialog.getByLabel("Control address").fill(`http://${control}`);
    await dialog.getByLabel("Control token").fill("guessed");
    await page.keyboard.press("Enter");
    await expect(dialog.getByLabel("Control token")).toHaveAccessibleDescription(/refuses the token/);
    await dialog.getByLabel("Control address").fill("10.0.0.7:9901");
    await page.keyboard.press("Enter");
    await expect(dialog.getByLabel("Control address")).toHaveAccessibleDescription(/ssh -N -L 9901/);
  });

  await test.step("its figures are on the drawing, and it has its threads", async () => {
    await dialog.getByLabel("Control address").fill(control);
    await dialog.getByLabel("Control token").fill(TOKEN);
    await dialog.getByRole("button", { name: "Attach", exact: true }).click();
    await expect(dialog).toBeHidden();
    await expectSaid(page, new RegExp(`^Attached ${name}`));
    await expect(processes).toHaveText([`${name}attached`]);
    await designer.awaitRunning();
    await expect(designer.treeRow("Multiplication").locator(".live-figure")).toHaveText(
      /^\s*[1-9][\d.]*k?\s*\/s/,
    );
    // There is nothing to stop or to start again: Run starts what is drawn.
    await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeDisabled();
    await expect(page.getByRole("button", { name: "Run", exact: true })).toBeEnabled();
  });

  await test.step("its pools are changed live, beside those of what Run starts", async () => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(processes).toHaveText([/^hellorunning · \d+$/, `${name}attached`], COMPILED);
    await designer.view("Threads");
    await expect(page.getByText("in 2 processes, shown as their mean")).toBeVisible();
    await designer.treeRow("sums").click();
    await designer.inspector.getByLabel(/of pool sums/).fill("3");
    await designer.inspector.getByRole("button", { name: "Apply" }).first().click();
    await expect
      .poll(async () => {
        const { stdout } = await penstock.cli("monitor", project, "--once", "--json");
        return stdout
          .split("\n")
          .filter(Boolean)
          .map((line) => {
            const { binary, pools } = JSON.parse(line) as {
              binary: string;
              pools: { node: string; threads: number }[];
            };
            return [binary, pools.find(({ node }) => node === "pool:hello/sums")?.threads];
          });
      })
      .toEqual([
        ["hello", 3],
        [name, 3],
      ]);
    await designer.view("Flow");
  });

  await test.step("Stop leaves it alone, and it is said when it is gone", async () => {
    await designer.treeRow("hello").click();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(processes).toHaveText(["hellostopped", `${name}attached`]);
    expect(begun.isAlive()).toBe(true);
    await designer.awaitRunning();
    await begun.end();
    await expect(processes).toHaveText(["hellostopped", `${name}no answer`]);
    await expect(designer.statePill).toHaveText(`${name} does not answer`);
  });

  await test.step("detached, it is not there any more", async () => {
    await page.getByRole("button", { name: `Detach ${name}` }).click();
    await expect(processes).toHaveCount(0);
    await expect(designer.statePill).toHaveText("not running");
    expect((await penstock.cli("detach", project)).stderr).toContain("Nothing is attached");
  });
});
