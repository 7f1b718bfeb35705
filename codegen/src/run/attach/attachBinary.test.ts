import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { topologySchema, type Topology } from "../../model/topology/index.js";
import { connectLive } from "../../live/index.js";
import { stateDir } from "../../process/index.js";
import { forgetAttached, listAttached, listRunning } from "../running/registry.js";
import { Supervisor } from "../supervisor.js";
import { makeFake } from "../testing/makeFake.js";
import { forwarded, ownAddress, startByHand, type StartedByHand } from "../testing/startByHand.js";
import {
  attachBinary,
  AttachRefused,
  isAnswering,
  readControlAddress,
  readControlToken,
} from "./attachBinary.js";

const TOKEN = "by-hand";
let folder: string;
let projectDir: string;
let byHand: StartedByHand;

const drawn = (binary: string, control?: string): Topology =>
  topologySchema.parse({
    penstock: 1,
    name: "fake",
    bundles: [{ name: "All" }],
    binaries: [{ name: binary, bundles: ["All"], ...(control === undefined ? {} : { control }) }],
  });

async function start(config: object = {}, binary = "app"): Promise<StartedByHand> {
  const fake = await makeFake(join(folder, "bin"), { ...config });
  const started = await startByHand(fake, { binary, token: TOKEN });
  onTestFinished(() => started.end());
  return started;
}

const attach = (more: Partial<Parameters<typeof attachBinary>[0]> = {}) =>
  attachBinary({
    projectDir,
    topology: drawn("app"),
    control: byHand.control,
    token: TOKEN,
    withinMs: 600_000,
    ...more,
  });

/** The code and the words of a refusal, after which nothing is noted. */
async function refusal(asked: Promise<unknown>): Promise<string> {
  const error: unknown = await asked.then(
    () => new Error("attached"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AttachRefused)) throw error;
  expect(await listAttached()).toEqual([]);
  return `${error.problem.code} ${error.problem.message}. ${error.problem.help}`;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "penstock-attach-"));
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
  projectDir = join(folder, "project");
  await mkdir(projectDir);
  byHand = await start({ control: await ownAddress() });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("attaching a process that something else started", () => {
  test("notes it with its token for this user alone, beside what is started, until it is detached", async () => {
    const { entry, schema, warnings } = await attach();
    expect(schema).toMatchObject({ binary: "app", pid: byHand.pid });
    expect(warnings).toMatchObject([{ code: "PS896", severity: "warning", node: "binary:app" }]);
    expect(await listAttached(projectDir)).toEqual([entry]);
    expect(await listAttached(folder)).toEqual([]);
    expect(await listRunning(projectDir)).toEqual([]);
    const notes = join(stateDir(), "binaries");
    const [name = ""] = await readdir(notes);
    expect(name).toMatch(/-app@\d+\.json$/);
    expect((await stat(join(notes, name))).mode & 0o777).toBe(0o600);
    await forgetAttached(entry);
    expect(await readdir(notes)).toEqual([]);
    expect(byHand.isAlive()).toBe(true);
  });

  test("knows nothing of its process but the address: no number that a signal could go to", async () => {
    const { entry } = await attach();
    expect(Object.keys(entry).sort()).toEqual(["attached", "binary", "control", "project", "token"]);
  });

  test("answers while it is there, and again when it is back at its address; not when another binary is", async () => {
    const { entry } = await attach();
    expect(await isAnswering(entry, 600_000)).toBe(true);
    await byHand.end();
    expect(await isAnswering(entry, 600_000)).toBe(false);
    await start({ control: byHand.control });
    expect(await isAnswering(entry, 600_000)).toBe(true);
    expect(await isAnswering({ ...entry, binary: "other" }, 600_000)).toBe(false);
    expect(await listAttached(projectDir)).toEqual([entry]);
  });

  test("takes a token that is new, and no other note", async () => {
    const { entry } = await attach();
    await expect(attach()).rejects.toThrow(/^app@\d+ is attached already$/);
    await expect(attach({ token: "wrong" })).rejects.toThrow("refuses the token");
    expect(await listAttached(projectDir)).toEqual([entry]);
  });

  test("takes another binary that is at its address by now in its place", async () => {
    await attach();
    await byHand.end();
    await expect(attach()).rejects.toThrow(/^nobody answers at/);
    byHand = await start({ control: byHand.control, binary: "other" }, "other");
    const { entry } = await attach({ topology: drawn("other") });
    expect(entry.binary).toBe("other");
    expect(await listAttached(projectDir)).toEqual([entry]);
  });

  test("asks under the drawn port where the forwarded one is another, and says what helps where none is drawn", async () => {
    const tunnel = await forwarded(byHand.control);
    onTestFinished(() => tunnel.close());
    expect(await refusal(attach({ control: tunnel.control }))).toMatch(
      /^PS890 .* has another port.*ssh -N -L/,
    );
    expect(
      await refusal(attach({ control: tunnel.control, topology: drawn("app", "\u4e2d\r\nX: y:1") })),
    ).toMatch(/^PS890 .* has another port/);
    const { entry } = await attach({ control: tunnel.control, topology: drawn("app", byHand.control) });
    expect(entry).toMatchObject({ control: tunnel.control, host: byHand.control });
    expect(await isAnswering(entry, 600_000)).toBe(true);
    const live = connectLive(entry);
    onTestFinished(() => live.close());
    await new Promise((resolve) => live.once("sample", resolve));
    expect(live.schema).toMatchObject({ pid: byHand.pid });
  });

  test("forgets the token when the project is no more", async () => {
    await attach();
    await rm(projectDir, { recursive: true });
    expect(await listAttached()).toEqual([]);
    expect(await readdir(join(stateDir(), "binaries"))).toEqual([]);
  });
});

describe("what is not attached", () => {
  test("nobody listens", async () => {
    await byHand.end();
    expect(await refusal(attach())).toMatch(
      /^PS891 nobody answers at 127\.0\.0\.1:\d+: connection refused\. /,
    );
  });

  test("nobody answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    onTestFinished(() => void silent.close());
    const control = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    expect(await refusal(attach({ control, withinMs: 1 }))).toMatch(/^PS891 .*: no answer in time\. /);
  });

  test.each([
    ["words", "220 mail.example ESMTP\r\n"],
    ["a page", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<ok>"],
    ["no such page", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n"],
    ["more than is read", `HTTP/1.1 200 OK\r\n\r\n${"x".repeat(5_000_000)}`],
  ])("something else that says %s", async (_, words) => {
    const other = createServer((socket) => socket.on("error", () => undefined).end(words));
    await new Promise((resolve) => other.listen(0, "127.0.0.1", () => resolve(undefined)));
    onTestFinished(() => void other.close());
    const control = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await refusal(attach({ control }))).toMatch(/^PS893 what answers at .* is no Penstock binary\. /);
  });

  test("a wrong token", async () => {
    expect(await refusal(attach({ token: "guessed" }))).toMatch(/^PS892 .*PENSTOCK_CONTROL_TOKEN/);
  });

  test("a binary of another project, and one that is not drawn", async () => {
    expect(await refusal(attach({ topology: { ...drawn("app"), name: "mine" } }))).toMatch(
      /^PS894 at .* runs app of the project fake, not of mine\. /,
    );
    expect(await refusal(attach({ topology: drawn("apps") }))).toMatch(
      /^PS894 .* not drawn in fake\. Was apps renamed/,
    );
  });

  test("one that Penstock started itself", async () => {
    const supervisor = new Supervisor({
      projectDir,
      binary: "app",
      ...(await makeFake(folder, {})),
      token: TOKEN,
    });
    onTestFinished(() => supervisor.stop());
    const ready = new Promise((resolve) => supervisor.once("ready", resolve));
    supervisor.start();
    await ready;
    expect(await refusal(attach({ control: supervisor.status.control ?? "" }))).toMatch(
      /^PS895 at .* runs app, which Penstock started itself \(process \d+\)\. /,
    );
  });
});

test.each([
  ["127.0.0.1:9901", "127.0.0.1:9901"],
  [" http://LOCALHOST:9901/ ", "localhost:9901"],
  ["[::1]:9901", "[::1]:9901"],
])("%j is the control address %s", (text, address) => {
  expect(readControlAddress(text)).toBe(address);
});

test.each([
  ["ads.example:9901", "ssh -N -L 9901:127.0.0.1:9901 ads.example"],
  ["http://10.0.0.7:80", "is not on this host"],
  ["9901", "no control address"],
  ["127.0.0.1", "no control address"],
  ["127.0.0.1:0", "no control address"],
  ["127.0.0.1:65536", "no control address"],
  ["https://127.0.0.1:9901", "no control address"],
  ["http://127.0.0.1:9901@evil.example:80", "no control address"],
  ["", "no control address"],
])("%j is none: %s", (text, words) => {
  try {
    readControlAddress(text);
    expect.unreachable();
  } catch (error) {
    const { problem } = error as AttachRefused;
    expect(`${problem.code} ${problem.message} ${problem.help}`).toMatch(/^PS890 /);
    expect(`${problem.message} ${problem.help}`).toContain(words);
  }
});

test("a token is what stands alone in its file", () => {
  expect(readControlToken("secret\n")).toBe("secret");
  for (const none of ["", " \n", "two words", "zwölf"])
    expect(() => readControlToken(none)).toThrow(AttachRefused);
});
