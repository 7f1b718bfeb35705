import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LoadSecond } from "../../src/contract/index.js";
import { slowProject } from "../support/slowProject.js";
import { documentOf, Penstock, type Document } from "./penstock.js";

const penstock = new Penstock();
/** Without that the simulator was at its limit, as it may be on a busy machine. */
const worthMending = ({ problems }: Document): object[] => problems.filter(({ code }) => code !== "PS887");
const secondsOf = (document: Document): LoadSecond[] => document["seconds"] as LoadSecond[];

let dir: string;
let server: Server;
let address: string;
let bodies: string[] = [];
beforeAll(async () => {
  // No connection is ended while it idles: a request of a load may be on its way then.
  server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      bodies.push(body);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mo`;

  // One thread that takes 4 ms an event: never more than 250 a second.
  dir = await slowProject(penstock, { milliseconds: 4, perSecond: 20, front: { threads: [{}], queue: 64 } });
});
afterAll(async () => {
  await penstock.run(["stop", dir]);
  await penstock.cleanUp();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("penstock load", () => {
  test("an address gets numbered requests at a growing rate; every second is on record", async () => {
    bodies = [];
    const out = path.join(penstock.folder, "report");
    const event = path.join(penstock.folder, "event.json");
    writeFileSync(event, '{"number": {{n}}}');
    const args = [
      "--body",
      event,
      "--start",
      "40",
      "--step",
      "20",
      "--period",
      "1",
      "--most",
      "80",
      "--out",
      out,
      "--drain",
      "600",
      "--timeout",
      "600",
    ];
    const ended = await penstock.run(["load", address, ...args, "--json"]);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const document = documentOf(ended);
    expect(worthMending(document)).toEqual([]);
    expect(document).toMatchObject({
      ok: true,
      target: { kind: "url", method: "POST", url: address },
      outcome: "ended",
      breakingPoint: null,
      whole: { sent: 180, completed: 180, failed: 0, p95Us: expect.any(Number) },
      files: { json: path.join(out, "load.json"), svg: path.join(out, "load.svg") },
    });
    expect(secondsOf(document).map(({ target, sent }) => [target, sent])).toEqual([
      [40, 40],
      [60, 60],
      [80, 80],
    ]);
    const numbers = bodies.map((body) => (JSON.parse(body) as { number: number }).number);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.filter((number) => !(number >= 1 && number <= 180))).toEqual([]);
    expect(numbers).toHaveLength(180);
    expect(secondsOf(JSON.parse(readFileSync(path.join(out, "load.json"), "utf8")) as Document)).toEqual(
      secondsOf(document),
    );
    expect(readFileSync(path.join(out, "load.svg"), "utf8")).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });

  test("a load of which nothing was done is a failure", async () => {
    const out = path.join(penstock.folder, "refused");
    const refusing = createServer((_, response) => response.writeHead(401).end());
    await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/`;
    const args = ["--start", "20", "--step", "0", "--for", "1", "--drain", "600", "--timeout", "600"];
    const ended = await penstock.run(["load", url, ...args, "--out", out, "--json"]);
    refusing.close();
    expect(ended.code).toBe(1);
    const nothing = expect.objectContaining({ code: "PS873" });
    expect(documentOf(ended)).toMatchObject({ ok: false, problems: expect.arrayContaining([nothing]) });
  });

  test("what was measured is printed also where it cannot be kept", async () => {
    const file = path.join(penstock.folder, "in-the-way");
    writeFileSync(file, "");
    const ended = await penstock.run([
      "load",
      address,
      "--start",
      "20",
      "--for",
      "2",
      "--out",
      file,
      "--json",
    ]);
    expect(ended.code).toBe(3);
    const document = documentOf(ended);
    // On a busy machine it is said as well that the simulator was at its limit.
    const problems = expect.arrayContaining([expect.objectContaining({ code: "PS992" })]);
    expect(document).toMatchObject({ ok: false, files: null, problems });
    expect(secondsOf(document).length).toBeGreaterThan(0);
  });

  test("Ctrl-C ends it with 130 and with what was measured so far", async () => {
    const cwd = path.join(penstock.folder, "elsewhere");
    mkdirSync(cwd);
    const args = ["--start", "30", "--period", "1", "--recovery", "600", "--json"];
    const { child, ended } = penstock.start(["load", address, ...args], { cwd });
    await new Promise<void>((resolve) => {
      child.stderr?.on("data", (text: string) => {
        if (text.includes("50/s")) resolve();
      });
    });
    child.kill("SIGINT");
    const end = await ended;
    expect(end.code).toBe(130);
    const document = documentOf(end);
    expect(worthMending(document)).toEqual([]);
    expect(document).toMatchObject({ ok: false, outcome: "interrupted" });
    expect(secondsOf(document).slice(0, 3)).toMatchObject([{ target: 30 }, { target: 40 }, { target: 50 }]);
    expect(existsSync(path.join(cwd, "load-report", "load.svg"))).toBe(true);
  });

  test.each([
    [["--start", "0"], "--start cannot be"],
    [["--period", "0.5"], "--period cannot be"],
    [["--tolerance", "60"], "--tolerance cannot be"],
    [["--drain", "601"], "--drain cannot be"],
    [["--header", "no colon"], "--header cannot be"],
    [["--body", "not-there.json"], "there is no file not-there.json"],
    [["--flow", "Ticks"], "an address has no --flow"],
    [["--step", "1", "--step", "2"], "--step is given twice"],
  ])("%j is wrong usage", async (args, words) => {
    const { code, stderr } = await penstock.run(["load", address, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  test("nobody at the address, and a binary that does not run, are in the way", async () => {
    const nobody = await penstock.run(["load", "http://127.0.0.1:1/", "--json"]);
    expect(nobody.code).toBe(3);
    expect(documentOf(nobody).problems).toMatchObject([{ code: "PS885" }]);
    const stopped = await penstock.run(["load", "demo-server", "--json"]);
    expect(stopped.code).toBe(3);
    expect(documentOf(stopped).problems).toMatchObject([
      { code: "PS993", message: "demo-server is not running" },
    ]);
  });

  test("a running binary is loaded, and gets its rate back", async () => {
    expect(await penstock.run(["run", dir, "--detach", "--quiet"])).toMatchObject({ code: 0 });
    const method = await penstock.run(["load", "demo-server", "--method", "GET"]);
    expect(method.code).toBe(2);
    const flow = await penstock.run(["load", "demo-server", "--flow", "Tocks"]);
    expect(flow).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Flows whose source has a rate: Ticks."),
    });

    // What it can hold is for who has the machine to himself: codegen/test/soak/loadedBinary.test.ts.
    const ended = await penstock.run(["load", "demo-server", "--start", "50", "--for", "2", "--json"]);
    const document = documentOf(ended);
    expect(document).toMatchObject({
      target: { kind: "flow", binary: "demo-server", flow: "Ticks" },
      seconds: [{ second: 0, target: 50 }, { target: expect.any(Number) }],
    });
    expect(existsSync(path.join(dir, "build/load/load.json"))).toBe(true);

    const rate = async (): Promise<number> => {
      const { stdout } = await penstock.run(["monitor", dir, "--once", "--json"]);
      const { nodes } = JSON.parse(stdout) as { nodes: { node: string; callsPerSecond: number }[] };
      return nodes.find(({ node }) => node === "flow:Ticks")?.callsPerSecond ?? -1;
    };
    await expect.poll(rate).toBeLessThan(30);
  });

  test("a binary that ends under load is a failure that says so, with the figures until then", async () => {
    // It breaks by nothing else meanwhile. What troubled it before it was gone, if anything did, is the machine's
    // matter: that it is called gone otherwise is seen in src/load/flowDriver.test.ts.
    const args = ["--start", "50", "--period", "1", "--recovery", "600", "--json"];
    const { child, ended } = penstock.start(["load", dir, ...args]);
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on("data", (text: string) => {
        if (text.includes("60/s")) resolve();
      });
      void ended.then((end) => reject(new Error(`ended before 60/s: ${JSON.stringify(end)}`)));
    });
    expect((await penstock.run(["stop", dir])).code).toBe(0);
    const end = await ended;
    expect(end.code).toBe(1);
    const document = documentOf(end);
    expect(document).toMatchObject({
      ok: false,
      problems: [{ code: "PS886" }],
      outcome: "failed",
      breakingPoint: { second: expect.any(Number) },
    });
    expect(secondsOf(document).length).toBeGreaterThan(0);
  });
});
