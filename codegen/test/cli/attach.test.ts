import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownAddress, startByHand, type StartedByHand } from "../../src/run/testing/startByHand.js";
import { copyExample } from "../support/project.js";
import { documentOf, eventsOf, Penstock } from "./penstock.js";

/** The example hello, whose binary a person starts with its generated configuration. */
const penstock = new Penstock();
const TOKEN = "0123456789abcdef";
let dir: string;
let byHand: StartedByHand;
let name: string;

interface Figures {
  binary: string;
  attached?: true;
  pools: { node: string; threads: number }[];
}
async function threads(): Promise<Map<string, [threads: number | undefined, attached: boolean]>> {
  const { stdout } = await penstock.run(["monitor", dir, "--once", "--json"]);
  return new Map(
    eventsOf<Figures>(stdout).map(({ binary, attached = false, pools }) => [
      binary,
      [pools.find(({ node }) => node === "pool:hello/sums")?.threads, attached],
    ]),
  );
}

/** With the generated configuration, but for the address. */
const start = (token = TOKEN): Promise<StartedByHand> =>
  startByHand(
    { executable: path.join(dir, "build/release/hello"), config: path.join(dir, "by-hand.json") },
    { binary: "hello", token, env: { PENSTOCK_RUN: path.join(penstock.folder, "elsewhere") } },
  );

beforeAll(async () => {
  dir = mkdtempSync(path.join(penstock.folder, "attach-"));
  copyExample("hello", dir);
  penstock.trust(dir);
  expect(await penstock.run(["build", dir, "--quiet"])).toMatchObject({ code: 0 });
  const config = JSON.parse(readFileSync(path.join(dir, "generated/config/hello.json"), "utf8")) as object;
  const control = await ownAddress();
  writeFileSync(path.join(dir, "by-hand.json"), JSON.stringify({ ...config, control }));
  byHand = await start();
  name = `hello@${byHand.control.slice(byHand.control.lastIndexOf(":") + 1)}`;
});
afterAll(async () => {
  await byHand.end();
  await penstock.run(["stop", dir]);
  await penstock.cleanUp();
});

test("what is refused says why, and leaves nothing behind", async () => {
  const attach = (address: string, token: string) =>
    penstock.run(["attach", address, dir, "--json"], { env: { PENSTOCK_CONTROL_TOKEN: token } });
  for (const [asked, code, problem] of [
    [attach(byHand.control, "guessed"), 3, "PS892"],
    [attach(byHand.control, ""), 2, "PS991"],
    [attach("ads.example:9901", TOKEN), 2, "PS890"],
    [attach("127.0.0.1:1", TOKEN), 3, "PS891"],
  ] as const) {
    const ended = await asked;
    expect(documentOf(ended)).toMatchObject({ ok: false, problems: [{ code: problem }] });
    expect(ended).toMatchObject({ code, stderr: "" });
    expect(ended.stdout).not.toContain("guessed");
  }
  const noFile = await penstock.run(["attach", byHand.control, dir, "--token-file", "nowhere"]);
  expect(noFile).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is no file nowhere") as string,
  });
  expect(await penstock.run(["monitor", dir, "--once"])).toMatchObject({ code: 3 });
});

test("a binary started by hand is seen and changed beside those that Penstock starts, and never ended", async () => {
  const file = path.join(penstock.folder, "token");
  writeFileSync(file, `${TOKEN}\n`, { mode: 0o600 });
  const attached = await penstock.run([
    "attach",
    `http://${byHand.control}`,
    dir,
    "--token-file",
    file,
    "--json",
  ]);
  expect(attached).toMatchObject({ code: 0, stderr: "" });
  const { control, pid } = byHand;
  expect(documentOf(attached)).toEqual({ ok: true, problems: [], name, binary: "hello", pid, control });

  expect(await threads()).toEqual(new Map([[name, [expect.any(Number), true]]]));
  const alone = await penstock.run(["set", dir, "pool.resize", "sums", "3", "--json"]);
  expect(documentOf(alone)).toMatchObject({ ok: true, binary: "hello", asked: 3, actual: 3 });
  expect(await threads()).toEqual(new Map([[name, [3, true]]]));
  const called = await penstock.run(["call", `${name}/Addition`, '{"a": 1, "b": 2}', "--json"]);
  expect(documentOf(called)).toMatchObject({ ok: true, answer: { value: "3" } });
  const resolved = await penstock.run(["resolve", dir, "Addition", "--json"]);
  expect(documentOf(resolved)).toMatchObject({ processes: [], attached: [{ name, control, pid }] });

  const run = await penstock.run(["run", dir, "--detach", "--json"]);
  expect(run).toMatchObject({ code: 0 });
  const own = eventsOf<{ event: string; pid: number }>(run.stdout).find(({ event }) => event === "ready");
  await penstock.run(["set", dir, "pool.resize", "sums", "2"]);
  expect(await threads()).toEqual(
    new Map([
      ["hello", [2, false]],
      [name, [2, true]],
    ]),
  );
  await penstock.run(["set", dir, "pool.resize", "sums", "4", "--binary", name]);
  expect((await threads()).get("hello")).toEqual([2, false]);

  const stopped = await penstock.run(["stop", dir, "--json"]);
  expect(documentOf(stopped)).toMatchObject({ stopped: [{ binary: "hello", pid: own?.pid }] });
  expect(stopped.stderr).toContain(`${name} is attached and goes on`);
  expect(documentOf(await penstock.run(["stop", dir, "--binary", name, "--json"]))).toMatchObject({
    stopped: [],
  });
  expect(byHand.isAlive()).toBe(true);
  expect(await threads()).toEqual(new Map([[name, [4, true]]]));

  const again = await penstock.run(["attach", control, dir, "--token-file", file]);
  expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining("is attached already") as string });
  const wrong = await penstock.run(["detach", dir, "--binary", "hallo"]);
  expect(wrong).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`What is attached: ${name}.`) as string,
  });
  const detached = await penstock.run(["detach", dir, "--json"]);
  expect(documentOf(detached)).toEqual({ ok: true, problems: [], detached: [name] });
  expect((await penstock.run(["monitor", dir, "--once"])).stderr).toContain(
    "nothing of this project is running",
  );
  expect((await penstock.run(["detach", dir])).stderr).toContain("Nothing is attached");
  expect(byHand.isAlive()).toBe(true);
});

test("one that is started anew with another token is followed by who watches it, once it is attached anew", async () => {
  const attach = (token: string) =>
    penstock.run(["attach", byHand.control, dir], { env: { PENSTOCK_CONTROL_TOKEN: token } });
  expect(await attach(TOKEN)).toMatchObject({ code: 0 });
  const watching = penstock.start(["monitor", dir, "--json"]);
  await watching.line('"attached":true');
  await byHand.end();
  byHand = await start("another");
  expect(await attach("another")).toMatchObject({ code: 0 });
  expect(await penstock.run(["set", dir, "pool.resize", "sums", "7"])).toMatchObject({ code: 0 });
  await watching.line('"threads":7');
  watching.child.kill("SIGINT");
  await watching.ended;
  await byHand.end();
  byHand = await start();
  expect(await penstock.run(["detach", dir])).toMatchObject({ code: 0 });
});

test("one that is gone is said to be so, until it is detached", async () => {
  const file = path.join(penstock.folder, "token");
  expect(await penstock.run(["attach", byHand.control, dir, "--token-file", file])).toMatchObject({
    code: 0,
  });
  const watching = penstock.start(["monitor", dir], { env: { PENSTOCK_PATIENCE: "10" } });
  await watching.line(`${name}  attached, up `);
  await byHand.end();
  await watching.line(`${name}  no answer`);
  for (const args of [
    ["monitor", dir, "--once"],
    ["call", "hello/Addition", "{}"],
  ]) {
    const ended = await penstock.run(args);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain(`${name} is attached and does not answer at ${byHand.control}`);
  }
  expect(await penstock.run(["detach", dir])).toMatchObject({ code: 0 });
  expect(await watching.ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("Nothing of this project is running any more.") as string,
  });
});
