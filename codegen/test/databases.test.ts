import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, expect, test, vi } from "vitest";
import { generateProject } from "../src/pipeline.js";
import { buildProject, counter, startBinary, until, warningsIn } from "./support/build.js";
import { putTopology, temporaryFolder, type Sketch } from "./support/project.js";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

/** A real server, started as an example with `--real` starts it. */
const { startMariaDb } = (await import(
  new URL("../../scripts/example/mariadb.mjs", import.meta.url).href
)) as { startMariaDb: (folder: string) => Promise<{ address: string; stop: () => Promise<void> }> };

const folder = temporaryFolder();
const dir = `${folder.path}/keeping`;
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  folder[Symbol.dispose]();
});

const EVENTS = 400;

/** A node that the project brings itself: puts a word before a name. */
const TITLE_NODE = {
  type: "title",
  title: "Title",
  doc: "Puts a word before the customer's name.",
  icon: "map",
  category: "data",
  kind: "simple",
  roles: ["map"],
  ports: { request: { is: "any" }, response: { is: "request" }, calls: 0 },
  settings: {
    type: "object",
    properties: { word: { type: "string", title: "Word", default: "Dr." } },
    required: [],
  },
};
const TITLE_HANDLER = `#include "{{header}}"

namespace {{project}} {

{{handleHead}}
  auto response = request;
  response.customer = {{cppString settings.word}} + (" " + request.customer);
  return response;
}

}  // namespace {{project}}
`;

const drawing = (server: URL): Sketch => {
  const there = {
    // What is given up may be done all the same: nothing is, however busy the machine.
    milliseconds: 600_000,
    database: "mariadb",
    host: server.hostname,
    port: Number(server.port),
    user: server.username,
    schema: server.pathname.slice(1),
    setup:
      "CREATE TABLE IF NOT EXISTS orders (id BIGINT UNSIGNED PRIMARY KEY, customer VARCHAR(40), cents BIGINT)",
  };
  return {
    penstock: 1,
    name: "keeping",
    messages: [
      {
        name: "Order",
        fields: [
          { name: "id", type: "uint64", tag: 1 },
          { name: "customer", type: "string", tag: 2 },
          { name: "cents", type: "int64", tag: 3 },
        ],
      },
      {
        name: "Account",
        fields: [
          { name: "customer", type: "string", tag: 1 },
          { name: "orders", type: "int64", tag: 2 },
          { name: "cents", type: "int64", tag: 3 },
        ],
      },
    ],
    services: [
      {
        name: "Address",
        request: "Order",
        response: "Order",
        node: { type: "title", settings: { word: 'O"Dr.' } },
      },
      {
        name: "KeepThere",
        request: "Order",
        response: "Order",
        kind: "sync-remote",
        node: {
          type: "sql-query",
          settings: { ...there, sql: "INSERT INTO orders VALUES (:id, :customer, :cents)" },
        },
      },
      {
        name: "KeepHere",
        request: "Order",
        response: "Order",
        kind: "sync-remote",
        node: {
          type: "sql-query",
          settings: {
            milliseconds: 600_000,
            path: "orders.db",
            setup: "CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, customer TEXT, cents INTEGER)",
            sql: "INSERT INTO orders VALUES (:id, :customer, :cents)",
          },
        },
      },
      {
        name: "Read",
        request: "Order",
        response: "Account",
        kind: "sync-remote",
        node: {
          type: "sql-query",
          settings: {
            ...there,
            mode: "row",
            sql: "SELECT COUNT(*) AS orders, CAST(SUM(cents) AS SIGNED) AS cents FROM orders WHERE customer = :customer",
          },
        },
      },
      {
        name: "Note",
        request: "Account",
        node: { type: "log", settings: { text: "{customer}: {orders}, {cents}" } },
      },
    ],
    flows: [
      {
        name: "Keeping",
        event: "Order",
        source: {
          kind: "rate",
          perSecond: 400,
          event: {
            // A key comes again at last: then both databases refuse it.
            id: { expression: `sequence % ${EVENTS}` },
            customer: { choice: ["ann", "x'); DROP TABLE orders; --"] },
            cents: { uniform: [1, 100] },
          },
        },
        stages: [
          { id: "address", service: "Address" },
          { id: "there", service: "KeepThere", join: { threads: 3 } },
          { id: "here", service: "KeepHere" },
          { id: "read", service: "Read" },
          { id: "note", service: "Note", role: "side-effect" },
        ],
      },
    ],
    bundles: [
      {
        name: "All",
        services: ["Address", "KeepThere", "KeepHere", "Read", "Note"],
        flows: ["Keeping"],
      },
    ],
    binaries: [{ name: "keeper", bundles: ["All"], pools: [{ name: "main", threads: [{}, {}] }] }],
  };
};

test("SQL query keeps and reads rows in SQLite and MariaDB, behind a node of the project's own", async () => {
  const server = await startMariaDb(`${folder.path}/server`);
  stops.push(server.stop);
  mkdirSync(`${dir}/nodes/title`, { recursive: true });
  writeFileSync(`${dir}/nodes/title/node.json`, JSON.stringify(TITLE_NODE));
  writeFileSync(`${dir}/nodes/title/handler.hbs`, TITLE_HANDLER);
  putTopology(dir, drawing(new URL(server.address)));
  const generated = await generateProject(dir);
  expect(generated.problems).toEqual([]);
  expect(warningsIn(buildProject(dir, ["keeper"]))).toEqual([]);
  const running = await startBinary(dir, "keeper");
  stops.push(() => running.stop());
  const done = (stage: string, what = "events"): Promise<number> =>
    counter(running.control, `penstock_stage_${what}_total`, `flow="Keeping",stage="${stage}"`);
  await until("keys come again", async () => (await done("there", "errors")) > 5);
  expect(await running.stop()).toBe(0);

  const said = running.said();
  const rows = execFileSync("sqlite3", [
    `${dir}/orders.db`,
    "SELECT customer, COUNT(*), SUM(cents) FROM orders GROUP BY customer",
  ])
    .toString()
    .trim()
    .split("\n")
    .map((row) => row.split("|"));
  expect(rows.map(([customer]) => customer)).toEqual(['O"Dr. ann', "O\"Dr. x'); DROP TABLE orders; --"]);
  expect(rows.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(EVENTS);
  // What MariaDB found last of each customer is what SQLite has: nothing was lost between them.
  for (const [customer, count, cents] of rows)
    expect(said).toContain(`Note: ${customer}: ${count}, ${cents}\n`);
});
