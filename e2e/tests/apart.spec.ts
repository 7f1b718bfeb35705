import path from "node:path";
import { ownPort } from "../../codegen/test/support/ownPort.js";
import { expect, test } from "../support/penstock.js";
import { COMPILED, Designer } from "../support/designer.js";

test("should have a bundle run in a binary of its own, and its services called from the other one", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  await designer.createFromExample("ads", "apart");
  await designer.awaitSaved();
  const frame = page.getByRole("group", { name: "Binary models-server" });
  await test.step("what is to run apart is grouped, and moves with what it runs on", async () => {
    await page.getByRole("group", { name: "Service ProduceAd" }).click({ position: { x: 60, y: 34 } });
    await page
      .getByRole("group", { name: "Service LogAd" })
      .click({ position: { x: 60, y: 34 }, modifiers: ["Shift"] });
    await page.keyboard.press("Control+g");
    await designer.rename("Models");
    const label = page.getByRole("group", { name: "Bundle Models" }).locator(".bundle-label");
    await label.click({ button: "right" });
    await page.getByRole("menuitem", { name: "Move to a binary of its own" }).click();
    await expect(frame).toContainText("models-server");
  });
  await expect(designer.treeRow("models-server")).toBeVisible();
  await designer.expectNoErrors();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(designer.statePill).toHaveText("2 of 2 running", COMPILED);
  // Nobody but GetAd, in the other process, asks ProduceAd.
  for (const name of ["GetAd", "ProduceAd"])
    await expect(designer.treeRow(name).locator(".live-figure")).toHaveText(/^\s*[1-9][\d.]*k?\s*\/s/);

  const link = page.getByRole("region", { name: "Link" });
  const selectLine = () =>
    expect(async () => {
      const line = page.locator('[aria-label="Call: GetAd asks ProduceAd in models-server"] path.edge');
      const middle = await line.evaluate((path: SVGPathElement) => {
        const point = path.getPointAtLength(path.getTotalLength() / 2);
        const { x, y } = point.matrixTransform(path.getScreenCTM()!);
        return { x, y };
      });
      await page.mouse.click(middle.x, middle.y);
      await expect(link).toContainText("models-server", { timeout: 5_000 });
    }).toPass();
  await test.step("the line between them says where it leads and how far that is", async () => {
    await selectLine();
    await expect(link).toContainText(/Round trip( p50)?[\d.]+ (µs|ms|s)/);
  });

  await test.step("each binary has its threads, on a tab of its own", async () => {
    await designer.view("Threads");
    await page.getByRole("tab", { name: "models-server" }).click();
    await expect(page.getByRole("article", { name: "Thread models·0" })).toBeInViewport();
    await designer.view("Flow");
  });

  await test.step("several processes of one share its calls, and are seen as one", async () => {
    await designer.treeRow("models-server").click();
    await page.getByLabel("Replicas").fill("2");
    await page.keyboard.press("Enter");
    await expect(frame).toContainText("×2");
    await designer.awaitSaved();
    await page.getByRole("button", { name: "Restart", exact: true }).click();
    const processes = page.getByRole("region", { name: "Processes" }).getByRole("listitem");
    await expect(processes).toHaveText([/^models-serverrunning/, /^models-server\.2running/], COMPILED);
    await expect(designer.statePill).toHaveText("2 of 2 running");
    await expect(designer.treeRow("ProduceAd").locator(".live-figure")).toHaveText(/^\s*[1-9][\d.]*k?\s*\/s/);
    await designer.view("Threads");
    await expect(page.getByText("in 2 processes, shown as their mean")).toBeVisible();
    await designer.view("Flow");
  });

  const address = `127.0.0.1:${ownPort("browser")}`;
  const listen = async (scheme: string) => {
    await designer.treeRow("models-server").click();
    await page.getByLabel("Listen").fill(`${scheme}://${address}`);
    await page.keyboard.press("Enter");
    await designer.awaitSaved();
    await page.getByRole("button", { name: "Restart", exact: true }).click();
  };
  await test.step("one that listens at an address is called there", async () => {
    await designer.treeRow("models-server").click();
    await page.getByLabel("Replicas").fill("1");
    await page.keyboard.press("Enter");
    await listen("tcp");
    await selectLine();
    await expect(link).toContainText(/Overtcp.*Round trip( p50)?[\d.]+ (µs|ms|s)/, COMPILED);
    await expect(designer.statePill).toHaveText("2 of 2 running");
  });

  await test.step("one that is to speak TLS runs on as it was until there are keys, and is called then", async () => {
    await listen("tls");
    await page.getByRole("tab", { name: /^Problems/ }).click();
    const problems = page.getByRole("list", { name: "Problems", exact: true });
    await expect(problems).toContainText("models-server was not started", COMPILED);
    await expect(problems).toContainText("penstock keys");
    await expect(designer.statePill).toHaveText("not built · last good binary runs on");
    await expect(designer.treeRow("ProduceAd").locator(".live-figure")).toHaveText(/^\s*[1-9][\d.]*k?\s*\/s/);
    const project = path.join(penstock.workspace, "apart");
    expect((await penstock.cli("keys", project)).code).toBe(0);
    await page.getByRole("button", { name: "Restart", exact: true }).click();
    await expect(designer.statePill).toHaveText("2 of 2 running", COMPILED);
    await selectLine();
    await expect(link).toContainText(/Overtls.*Round trip( p50)?[\d.]+ (µs|ms|s)/);
  });

  await test.step("they stop together", async () => {
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(designer.statePill).toHaveText("not running");
  });
});
