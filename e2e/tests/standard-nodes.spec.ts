import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "../support/penstock.js";
import { Designer } from "../support/designer.js";
import { monitor, nodeOf } from "../support/monitor.js";
import { post } from "../support/post.js";

const OWN_POOL = "pool:till-server/Orders.sqlQuery";

/** What SQLite's own shell reads from a database: columns with bars between them. */
const query = async (file: string, sql: string): Promise<string> =>
  (await promisify(execFile)("sqlite3", [file, sql])).stdout.trim();

interface Drawn {
  services: { name: string }[];
  flows: { stages: { service: string; role?: string }[] }[];
}

test("should draw a flow of standard nodes alone that writes what is posted into a database", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  const { inspector } = designer;
  const folder = path.join(penstock.workspace, "till");
  let door = "";
  const drawn = async (): Promise<Drawn> =>
    JSON.parse(await readFile(path.join(folder, "topology.json"), "utf8"));
  const palette = page.getByRole("region", { name: "Palette" });
  const settings = inspector.getByRole("region", { name: "Settings" });
  const code = (name: string) => settings.getByRole("textbox", { name, exact: true });
  const addNode = async (title: string, name: string) => {
    await palette.getByRole("button", { name: title, exact: true }).focus();
    await page.keyboard.press("Enter");
    await designer.rename(name);
    await expect(designer.node(name)).toBeVisible();
  };
  await designer.createProject("till");

  await test.step("a message", async () => {
    await designer.view("Messages");
    await page.getByRole("button", { name: "Add the first message" }).click();
    await designer.nameFocused("Order");
    await designer.addField("Order", "item", "string");
    await designer.addField("Order", "cents", "int64");
    await designer.addField("Order", "total", "int64");
    await designer.view("Flow");
  });

  await test.step("an HTTP source and, behind it, nodes from the palette by keyboard alone", async () => {
    await palette.getByRole("button", { name: "HTTP source", exact: true }).click();
    await designer.rename("Orders");
    await inspector.getByLabel("Path", { exact: true }).fill("/orders");
    await page.keyboard.press("Enter");
    await addNode("Filter", "Sold");
    await code("Condition").fill("request.cents > 0");
    await page.keyboard.press("Enter");
    await addNode("Map", "Tax");
    await inspector.getByLabel("Add to fields").selectOption("total");
    await code("total").fill("request.cents * 119 / 100");
    await page.keyboard.press("Enter");
    await addNode("SQL query", "Store");
    await code("Setup").fill("CREATE TABLE IF NOT EXISTS orders (item TEXT, total INTEGER);");
    await page.keyboard.press("Enter");
    await addNode("Log", "Note");
  });

  await test.step("what is wrong with a setting is said at its field", async () => {
    await designer.treeRow("Store").click();
    await code("Statement").fill("INSERT INTO orders VALUES (:item, :totl)");
    await page.keyboard.press("Enter");
    await expect(inspector.getByText('"Order" has no field "totl"').first()).toBeVisible();
    await code("Statement").fill("INSERT INTO orders VALUES (:item, :total)");
    await page.keyboard.press("Enter");
    await expect(inspector.getByText('"Order" has no field "totl"')).toHaveCount(0);
  });

  await test.step("a node and its stage are one step back and forth", async () => {
    await designer.focusCanvas();
    await palette.getByRole("button", { name: "Delay", exact: true }).click();
    await expect(designer.treeRow("Delay")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(designer.treeRow("Delay")).toHaveCount(0);
    await designer.awaitSaved();
    const { services, flows } = await drawn();
    expect(services.map(({ name }) => name)).toEqual(["Sold", "Tax", "Store", "Note"]);
    expect(flows[0]?.stages.map(({ service, role = "map" }) => [service, role])).toEqual([
      ["Sold", "side-effect"],
      ["Tax", "map"],
      ["Store", "map"],
      ["Note", "side-effect"],
    ]);
  });

  await test.step("an HTTP address for its binary", async () => {
    await designer.treeRow("till-server").click();
    await inspector.getByLabel("HTTP", { exact: true }).fill("127.0.0.1:0");
    await page.keyboard.press("Enter");
    await designer.expectNoErrors();
  });

  await test.step("runs, without a line of C++ from the user", async () => {
    await designer.run();
    await designer.treeRow("Orders").click();
    door = (await inspector.getByText(/^http:\/\/127\.0\.0\.1:\d+\/orders$/).textContent())!;
    for (let order = 1; order <= 20; order += 1) {
      // Every fourth is for nothing: the filter ends it.
      const answer = await post(door, { item: `item ${order}`, cents: order % 4 === 0 ? 0 : 100 * order });
      expect(answer.status).toBe(order % 4 === 0 ? 204 : 200);
    }
  });

  await test.step("the rows are in the database, the counts on the canvas", async () => {
    const rows = await query(path.join(folder, "data.db"), "SELECT count(*), sum(total) FROM orders");
    expect(rows).toBe("15|17850");
    await expect.poll(async () => (await nodeOf(penstock, "till", "service:Store")).total).toBe(15);
    await expect(designer.treeRow("Store").locator(".live-figure")).toHaveText(/\/s$/);
  });

  await test.step("a join is added while it runs, and what is posted goes through it", async () => {
    await designer.treeRow("Store").click();
    await page.getByRole("button", { name: /before sqlQuery\b/ }).focus();
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "Join before Store" });
    await form.getByText("Threads of its own").click();
    await form.getByLabel("Number of threads").fill("2");
    await form.getByRole("button", { name: "Apply live" }).click();
    await expect(form).toBeHidden();
    await expect
      .poll(
        async () => (await monitor(penstock, "till")).pools.find(({ node }) => node === OWN_POOL)?.threads,
      )
      .toBe(2);
    const answer = await post(door, { item: "the last", cents: 100 });
    expect(JSON.parse(answer.text)).toEqual({ item: "the last", cents: "100", total: "119" });
    expect(await query(path.join(folder, "data.db"), "SELECT count(*) FROM orders")).toBe("16");
  });
});
