import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { BinaryStatus } from "../../src/contract/index.js";
import { forgetAttached, listAttached, noteAttached } from "../../src/run/index.js";
import { makeFake } from "../../src/run/testing/makeFake.js";
import { ownAddress, startByHand, type StartedByHand } from "../../src/run/testing/startByHand.js";
import { until } from "../../src/server/testing/until.js";
import { FakeProject } from "./fakeProject.js";

const TOKEN = "token-of-the-process-started-by-hand";
/** On a busy machine what answers late is not lost: only where nobody listens any more. */
const fake = FakeProject.forEachTest("attach", { patience: 100 });
let byHand: StartedByHand;
let name: string;

async function start(config: object = {}): Promise<StartedByHand> {
  const binary = await makeFake(join(fake.root, "by-hand"), { ...config });
  const started = await startByHand(binary, { binary: "app", token: TOKEN });
  onTestFinished(() => started.end());
  return started;
}
beforeEach(async () => {
  await fake.draw({});
  byHand = await start({ control: await ownAddress() });
  name = `app@${byHand.control.split(":")[1]}`;
});

const attach = (address = byHand.control, token = TOKEN) =>
  fake.server.api("POST", fake.path("/attach"), { address, token });
const status = (): BinaryStatus | undefined =>
  fake.tab
    .of("binaries")
    .at(-1)
    ?.binaries.find(({ binary }) => binary === "app");
/** What the processes of the binary are, as the tab was told last. */
const processes = (): string[] =>
  status()?.processes?.map((one) => `${one.name} ${one.state}${one.attached ? " attached" : ""}`) ?? [];
const are = (...wanted: string[]): Promise<unknown> =>
  until(`they are ${wanted.join(", ")}`, () => processes().join() === wanted.join());
const resize = (threads: number) =>
  fake.server.api("POST", fake.path("/binaries/app/command"), {
    method: "pool.resize",
    params: { pool: "front", threads },
  });
/** What the source of the flow is asked for, all processes together. */
const rate = () => fake.tab.of("live-schema").at(-1)?.schema.flows[0]?.source.perSecond;
const run = (): Promise<unknown> =>
  until("it is started", async () => (await fake.server.api("POST", fake.path("/run"), {})).status === 200);

test("should show and change what something else started, and say its token to nobody", async () => {
  const attached = await attach(`http://${byHand.control}/`);
  expect(attached.json).toMatchObject({ binary: "app", name, problems: [{ code: "PS896" }] });
  await are(`${name} running attached`);
  expect(status()).toMatchObject({ state: "running", pid: null, control: byHand.control });
  const { schema } = await fake.tab.next("live-schema");
  expect(schema).toMatchObject({ binary: "app", pid: byHand.pid });
  await fake.tab.next("live-sample");
  expect((await resize(5)).json).toEqual({ asked: 5, actual: 5 });
  await fake.tab.next("live-schema", (said) => said.schema.pools[0]?.threads.length === 5);
  const detached = await fake.server.api("POST", fake.path("/detach"), { name });
  expect(detached.json).toEqual({ detached: name });
  await until("nothing runs", () => (status()?.state ?? "stopped") === "stopped");
  expect(byHand.isAlive()).toBe(true);
  expect((await fake.server.api("POST", fake.path("/detach"), { name })).status).toBe(404);
  const workspaces = join(fake.root, "state/penstock/workspaces");
  const [key = ""] = await readdir(workspaces);
  const audit = await readFile(join(workspaces, key, "audit.jsonl"), "utf8");
  expect(audit).toContain('"what":"attach"');
  for (const said of [attached.text, detached.text, JSON.stringify(fake.tab.messages), audit])
    expect(said).not.toContain(TOKEN);
});

test("should refuse with the reason and keep nothing", async () => {
  for (const [asked, code] of [
    [attach("10.0.0.7:9901"), "PS890"],
    [attach("127.0.0.1:1"), "PS891"],
    [attach(byHand.control, "wrong"), "PS892"],
    [attach(byHand.control, " "), "PS892"],
  ] as const) {
    const { status: answered, json, text } = await asked;
    expect([answered, json.error.problems[0].code]).toEqual([422, code]);
    expect(text).not.toContain('wrong"');
  }
  expect(await listAttached()).toEqual([]);
});

test("should start and stop what is drawn beside it, and change all of them", async () => {
  await attach();
  await are(`${name} running attached`);
  await run();
  await are("app running", `${name} running attached`);
  await until("the rate is that of both", () => rate() === 200);
  await until("both answer", async () => (await resize(4)).status === 200);
  expect((await fake.server.api("POST", fake.path("/stop"), {})).json).toEqual({ stopped: ["app"] });
  await are("app stopped", `${name} running attached`);
  await until("the rate is that of what runs", () => rate() === 100);
  expect(status()?.state).toBe("running");
  expect(byHand.isAlive()).toBe(true);
  expect((await resize(3)).json).toEqual({ asked: 3, actual: 3 });
  for (const answer of [
    await fake.server.api("DELETE", fake.path()),
    await fake.server.api("POST", fake.path("/rename"), { name: "yours" }),
  ])
    expect([answer.status, answer.json.error.message]).toEqual([409, "mine has processes that are attached"]);
});

test("should say that it does not answer, and have it again when it is back, by what the command line notes too", async () => {
  await noteAttached({
    project: join(fake.server.workspace, "mine"),
    binary: "app",
    control: byHand.control,
    token: TOKEN,
    attached: true,
  });
  await are(`${name} running attached`);
  await byHand.end();
  await are(`${name} lost attached`);
  expect(status()).toMatchObject({ state: "lost", detail: `no answer at ${byHand.control}` });
  await start({ control: byHand.control });
  await are(`${name} running attached`);
  await Promise.all((await listAttached()).map(forgetAttached));
  await until("nothing is attached", () => (status()?.state ?? "stopped") === "stopped");
});

test("should have it again after its own restart, and leave another binary at its address alone until it is back", async () => {
  await attach();
  await fake.restart();
  await are(`${name} running attached`);
  await byHand.end();
  const binary = await makeFake(join(fake.root, "other"), { binary: "other", control: byHand.control });
  const other = await startByHand(binary, { binary: "other", token: TOKEN });
  onTestFinished(() => other.end());
  await until("it is said", () => status()?.detail === `other answers at ${byHand.control}`);
  expect(fake.tab.of("live-schema").every(({ schema }) => schema.binary === "app")).toBe(true);
  expect((await resize(4)).status).toBe(503);
  await other.end();
  await start({ control: byHand.control });
  await are(`${name} running attached`);
  await until("it answers", async () => (await resize(4)).status === 200);
});
