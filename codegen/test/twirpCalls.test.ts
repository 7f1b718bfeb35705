import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  buildProject,
  QUICKLY,
  runTool,
  startBinary,
  until,
  warningsIn,
  type Running,
} from "./support/build.js";
import { drawExposedNodes } from "./support/exposedNodes.js";
import { temporaryFolder } from "./support/project.js";
import { twirpClient, TwirpFailure, TwirpSide, type Said, type TwirpClient } from "./support/twirpSide.js";

const folder = temporaryFolder();
const dir = folder.path;
const twirp = new TwirpSide();
let running: Running;
let client: TwirpClient;

// The client is protobufjs', with what generated/nodes/messages.proto says; so is the service that the nodes ask.
describe("nodes that ask a Twirp service", () => {
  const TRACE = "0af7651916cd43dd8448eb211c80319c";
  const TOKEN = "of-the-prices-0123456789";
  const clientWith = (headers: Record<string, string>): TwirpClient =>
    twirpClient(
      `${dir}/generated/nodes/messages.proto`,
      "nodes.All",
      `http://${running.http}/twirp`,
      headers,
    );
  beforeAll(async () => {
    await drawExposedNodes(dir, `http://${await twirp.listen()}/twirp`, (service) =>
      service === "AskPriceInJson" ? { tokenVariable: "PRICES_TOKEN" } : {},
    );
    expect(warningsIn(buildProject(dir, ["nodes"], QUICKLY))).toEqual([]);
    running = await startBinary(dir, "nodes", { PRICES_TOKEN: TOKEN });
    client = clientWith({ traceparent: `00-${TRACE}-b7ad6b7169203331-01` });
  }, 900_000);
  afterAll(async () => {
    running?.child.kill("SIGKILL");
    folder[Symbol.dispose]();
    await twirp.close();
  });
  const failureOf = (method: string, customer: string): Promise<TwirpFailure> =>
    client[method]!({ customer }).then(
      () => expect.fail(`${method} of ${customer} did not fail`),
      (error: TwirpFailure) => error,
    );

  test.each([
    ["askPrice", "application/protobuf", undefined],
    ["askPriceInJson", "application/json", `Bearer ${TOKEN}`],
  ])("%s sends its message and goes on with the answer", async (method, type, token) => {
    twirp.requests.length = 0;
    expect(await client[method]!({ id: 7, customer: "ann ä", cents: -21 })).toEqual({ cents: "-42" });
    expect(await client[method]!({})).toEqual({});
    expect(twirp.requests).toMatchObject([
      { item: { id: 7, customer: "ann ä", cents: -21 } },
      { item: { id: 0, customer: "", cents: 0 } },
    ]);
    const { headers } = twirp.requests[0]!;
    expect(headers).toMatchObject({
      "content-type": type,
      accept: type,
      traceparent: expect.stringContaining(TRACE),
    });
    expect(headers["authorization"]).toBe(token);
    const told = Number(headers["twirp-timeout"]);
    expect(told > 0 && told <= 300_000, `${told} ms, those of the client`).toBe(true);
  });

  test.each(["askPrice", "askPriceInJson"])(
    "%s fails as the service does, or who is in between",
    async (method) => {
      const json = "application/json";
      const html = { type: "text/html", body: "<html>" };
      const tooLong = {
        status: 200,
        type: json,
        body: JSON.stringify({ currency: "x".repeat(1100 * 1024) }),
      };
      const said = (status: number, code: string): Said => ({
        status,
        type: json,
        body: JSON.stringify({ code, msg: "as asked", meta: { of: "ann" } }),
      });
      const answers: [answer: Said, status: number, code: string, msg: RegExp][] = [
        [said(404, "not_found"), 404, "not_found", /^as asked$/],
        [said(408, "canceled"), 408, "canceled", /^as asked$/],
        [said(408, "cancelled"), 408, "canceled", /^as asked$/],
        [said(500, "dataloss"), 500, "data_loss", /^as asked$/],
        [said(500, "data_loss"), 500, "data_loss", /^as asked$/],
        [said(429, "resource_exhausted"), 429, "resource_exhausted", /^as asked$/],
        [said(404, "bad_route"), 501, "unimplemented", /^bad_route: as asked$/],
        [said(400, "malformed"), 400, "invalid_argument", /^malformed: as asked$/],
        [
          { status: 502, ...html },
          503,
          "unavailable",
          /not an error of Twirp's: the answer was 502: <html>$/,
        ],
        [{ status: 404, ...html }, 501, "unimplemented", /the answer was 404: <html>$/],
        [
          { status: 301, ...html, headers: { location: "/" } },
          500,
          "internal",
          /the answer was 301: <html>$/,
        ],
        [
          { status: 200, ...html },
          500,
          "internal",
          /answered with text\/html, not application\/(json|protobuf)$/,
        ],
        [tooLong, 429, "resource_exhausted", /answered with more than \d+ bytes$/],
      ];
      for (const [at, [answer, status, code, msg]] of answers.entries()) {
        twirp.says.set(`${at}`, answer);
        const failure = await failureOf(method, `${at}`);
        expect(failure, `${at}`).toMatchObject({ status, said: { code, msg: expect.stringMatching(msg) } });
      }
    },
  );

  test("an answer that is no such message is a failure that says why", async () => {
    twirp.says.set("half", { status: 200, type: "application/json", body: '{"cents":"many"}' });
    const failure = await failureOf("askPriceInJson", "half");
    expect(failure.said).toMatchObject({
      code: "internal",
      msg: expect.stringContaining("/cents: is many"),
    });
    twirp.says.set("half", { status: 200, type: "application/protobuf", body: "\u0008" });
    expect((await failureOf("askPrice", "half")).said).toMatchObject({
      code: "internal",
      msg: expect.stringContaining("the answer is not what is wanted"),
    });
  });

  test("a request ends with the deadline of who waits for it", async () => {
    const hurried = clientWith({ "twirp-timeout": "300" });
    // One that came too late asked nobody.
    await until("the service saw somebody go", async () => {
      await expect(hurried["askPrice"]!({ customer: "never" })).rejects.toMatchObject({
        status: 408,
        said: { code: "deadline_exceeded" },
      });
      return twirp.left > 0;
    });
    const told = twirp.requests.filter(({ item }) => item["customer"] === "never");
    for (const { headers } of told) expect(Number(headers["twirp-timeout"])).toBeLessThanOrEqual(300);
  });

  test("curl and protoc have a node that is exposed answer, too", async () => {
    const protoc = (mode: string, input: Buffer): Buffer =>
      runTool("protoc", [`--proto_path=${dir}/generated`, mode, "nodes/messages.proto"], input);
    const order = protoc("--encode=nodes.Order", Buffer.from('id: 3 customer: "ann" cents: 100'));
    const answer = runTool(
      "curl",
      [
        ...["--silent", "--show-error", "--fail", "--data-binary", "@-"],
        ...["--header", "Content-Type: application/protobuf", "--header", "Twirp-Timeout: 300000"],
        `http://${running.http}/twirp/nodes.All/Price`,
      ],
      order,
    );
    expect(protoc("--decode=nodes.Priced", answer).toString()).toBe(
      'id: 3\ncustomer: "ann"\ncents: 100\nvat: 19\ntext: "ann pays 100"\n',
    );
  });
});
