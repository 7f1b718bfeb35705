import { Ajv2020 } from "ajv/dist/2020.js";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateProject } from "../src/pipeline.js";
import {
  buildProject,
  counter,
  QUICKLY,
  runTool,
  startBinary,
  until,
  warningsIn,
  type Running,
} from "./support/build.js";
import { GOLDEN_FOLDER, temporaryFolder } from "./support/project.js";

const HANDLER = (name: string, body: string, takes: string, gives: string): string => `
#include "services/${name.toLowerCase()}.hpp"

namespace sources {

${gives} ${name}::handle(const ${takes}& request) {
${body}
}

}  // namespace sources
`;

/** Prices orders; a fast one also leaves a note through the flow that takes what handlers push. */
const PRICE = HANDLER(
  "Price",
  `  if (request.item.empty()) {
    throw penstock::Error(penstock::ErrorCode::invalid_argument, "an order without an item");
  }
  Receipt receipt{request.order_id, request.item + " for " + std::to_string(int(request.amount))};
  if (request.speed == Speed::FAST) flows.Notes.push(receipt);
  return receipt;`,
  "Order",
  "Receipt",
);
const NOTE = HANDLER("Note", "  static_cast<void>(request);", "Receipt", "void");

describe("flows from every kind of source, compiled and run", () => {
  const folder = temporaryFolder();
  let running: Running;

  beforeAll(async () => {
    cpSync(`${GOLDEN_FOLDER}sources`, folder.path, { recursive: true });
    // On a busy machine a flow may take longer than what is drawn.
    const drawing = readFileSync(`${folder.path}/topology.json`, "utf8");
    const patient = drawing.replaceAll('"timeoutMs": 2000', '"timeoutMs": 300000');
    expect(patient, "the timeout that is drawn").not.toBe(drawing);
    writeFileSync(`${folder.path}/topology.json`, patient);
    expect(await generateProject(folder.path)).toMatchObject({ ok: true });
    writeFileSync(`${folder.path}/src/services/price.cpp`, PRICE);
    writeFileSync(`${folder.path}/src/services/note.cpp`, NOTE);
    writeFileSync(
      `${folder.path}/orders.jsonl`,
      '{"orderId":"1","item":"tea","amount":3}\n{"order_id":2,"item":"ink","amount":"4"}\n{"item":7}\n',
    );
    expect(warningsIn(buildProject(folder.path, ["shop"], QUICKLY))).toEqual([]);
    running = await startBinary(folder.path, "shop");
  }, 900_000);
  afterAll(() => {
    running?.child.kill("SIGKILL");
    folder[Symbol.dispose]();
  });

  const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`http://${running.http}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "twirp-timeout": "300000", ...headers },
      body,
    });
  const events = (flow: string, outcome: string): Promise<number> =>
    counter(
      running.control,
      "penstock_flow_events_total",
      `flow="${flow}",binary="shop",outcome="${outcome}"`,
    );

  test("answers a posted event with the flow's result", async () => {
    const answer = await post("/orders", '{"orderId":"9007199254740993","item":"tea","amount":3}');
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toEqual({ orderId: "9007199254740993", text: "tea for 3" });
  });

  test("answers what a handler threw with its code, flow and stage", async () => {
    const answer = await post("/orders", "{}");
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      code: "invalid_argument",
      msg: "an order without an item",
      meta: { flow: "Orders", stage: "price" },
    });
  });

  test("names the place of a mistake in the body, and counts it", async () => {
    // An answer leaves before its event is counted.
    const inFlight = () => counter(running.control, "penstock_flow_events_in_flight", 'flow="Orders"');
    await until("those before it are counted", async () => (await inFlight()) === 0);
    const failed = await events("Orders", "failed");
    const answer = await post("/orders", '{"item":"tea",\n "amount":"three"}');
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "malformed",
      meta: { pointer: "/amount", line: "2", column: "11" },
    });
    await until("it is counted", async () => (await events("Orders", "failed")) === failed + 1);
  });

  test("keeps to the limits of the drawing", async () => {
    expect((await post("/orders", `{"item":"${"a".repeat(4096)}"}`)).status).toBe(413);
    expect((await post("/orders", "{}", { origin: "http://localhost:1" })).status).toBe(403);
    expect((await post("/nothing", "{}")).status).toBe(404);
    expect((await fetch(`http://${running.http}/orders`)).status).toBe(405);
  });

  test("answers 202 where accepting the event is enough", async () => {
    const answer = await post("/submissions", '{"item":"tea"}');
    expect([answer.status, await answer.text()]).toEqual([202, ""]);
    await until("it is done", async () => (await events("Submissions", "completed")) >= 1);
  });

  test("carries what a handler pushed through the flow that takes it", async () => {
    const before = await events("Notes", "completed");
    for (let i = 0; i < 10; i++)
      expect((await post("/orders", '{"item":"tea","speed":"FAST"}')).status).toBe(200);
    await until("ten notes", async () => (await events("Notes", "completed")) === before + 10);
  });

  test("makes events of the lines of a file, again and again, and says which line is bad", async () => {
    await until("a second pass", async () => (await events("Imports", "completed")) >= 5);
    expect(await events("Imports", "failed")).toBeGreaterThan(0);
    expect(running.said()).toContain(
      "shop: flow Imports: orders.jsonl, line 3: /item: is a number, not a string (column 9)",
    );
  });

  test("answers a service that is exposed, in JSON", async () => {
    const price = await post(
      "/twirp/sources.Shop/Price",
      '{"order_id":1,"item":"tea","amount":3,"newer":[{}]}',
    );
    expect([price.status, price.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await price.json()).toEqual({ orderId: "1", text: "tea for 3" });
    const note = await post("/twirp/sources.Shop/Note", '{"text":"a"}');
    expect([note.status, await note.text()]).toEqual([200, "{}"]);
    const refused = await post("/twirp/sources.Shop/Price", "{}");
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { code: "invalid_argument", msg: "an order without an item" },
    ]);
    const away = await post("/twirp/sources.Shop/Gone", "{}");
    expect([away.status, await away.json()]).toMatchObject([
      404,
      { code: "bad_route", meta: { twirp_invalid_route: "POST /twirp/sources.Shop/Gone" } },
    ]);
  });

  test("says in OpenAPI how it is asked, and answers so", async () => {
    const given = await fetch(`http://${running.http}/openapi.json`);
    expect([given.status, given.headers.get("content-type")]).toEqual([200, "application/json"]);
    const text = await given.text();
    expect(text).toBe(readFileSync(`${folder.path}/generated/openapi/shop.json`, "utf8"));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "http://shop/", components: JSON.parse(text).components });
    const faults = (message: string, value: unknown) =>
      ajv.validate({ $ref: `http://shop/#/components/schemas/${message}` }, value) ? [] : ajv.errors;
    const order = { orderId: "9007199254740993", item: "tea", amount: 3, speed: "SPEED_SLOW" };
    expect(faults("Order", order)).toEqual([]);
    const price = await post("/twirp/sources.Shop/Price", JSON.stringify(order));
    const receipt: unknown = await price.json();
    expect(receipt).toEqual({ orderId: "9007199254740993", text: "tea for 3" });
    expect(faults("Receipt", receipt)).toEqual([]);
    for (const [path, body] of [
      ["/twirp/sources.Shop/Price", "{}"],
      ["/twirp/sources.Shop/Price", "{"],
      ["/twirp/sources.Shop/Gone", "{}"],
    ] as const)
      expect(faults("twirp.Error", await (await post(path, body)).json()), `${path} ${body}`).toEqual([]);
  });

  test("shows the page of its services, which may load nothing but itself", async () => {
    const page = await fetch(`http://${running.http}/`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
    const files = [...(await page.text()).matchAll(/(?:src|href)="(page\/[^"]+)"/g)].map(([, file]) => file);
    expect(files).toEqual(["page/page.css", "page/page.js"]);
    for (const file of files) expect((await fetch(`http://${running.http}/${file}`)).status, file).toBe(200);
  });

  test("answers a service that is exposed, in the bytes of protoc", async () => {
    const protoc = (mode: string, message: string, input: Buffer): Buffer =>
      runTool(
        "protoc",
        [`--proto_path=${folder.path}/generated`, `--${mode}=sources.${message}`, "sources/messages.proto"],
        input,
      );
    const order = protoc("encode", "Order", Buffer.from('order_id: -7 item: "ink" amount: 2'));
    const answer = await fetch(`http://${running.http}/twirp/sources.Shop/Price`, {
      method: "POST",
      headers: { "content-type": "application/protobuf", "twirp-timeout": "300000" },
      body: new Uint8Array(order),
    });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/protobuf"]);
    const receipt = protoc("decode", "Receipt", Buffer.from(await answer.arrayBuffer()));
    expect(receipt.toString()).toBe('order_id: -7\ntext: "ink for 2"\n');
  });

  test("answers what it has taken when it is stopped, and ends with 0", async () => {
    const asked = Array.from({ length: 20 }, () => post("/orders", '{"item":"tea"}').then((a) => a.status));
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await running.stop()).toBe(0);
  });

  test("does not start without its file, and says which", async () => {
    rmSync(`${folder.path}/orders.jsonl`);
    await expect(startBinary(folder.path, "shop")).rejects.toThrow(
      /ended with 78: .*\/flows\/Imports\/source\/path: orders\.jsonl cannot be opened/,
    );
  });
});
