import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startNats } from "../support/natsServer.js";
import { ownPort } from "../support/ownPort.js";
import { copyExample, GOLDEN_FOLDER } from "../support/project.js";
import { eventsOf, Penstock } from "./penstock.js";

/**
 * The ads example with its models and all stages but one moved to another binary, and nothing else changed: the same
 * handlers reach each other from process to process. There are two more stages, that fail and end events over there.
 */
const penstock = new Penstock();
let dir: string;
let server: { url: string; stop: () => void } | undefined;

interface Figures {
  binary: string;
  pools: { node: string; threads: number }[];
  nodes: { node: string; total: number; errors: number }[];
  calls: { edge: string; total: number; errors: number }[];
  links: {
    binary: string;
    transport: string;
    open: number;
    roundTripUs: number | null;
    down: string | null;
  }[];
}
const patient = { timeout: 600_000, interval: 200 };

/** By the names of the binaries, what each says of itself now. */
async function figures(): Promise<Map<string, Figures>> {
  const { stdout } = await penstock.run(["monitor", dir, "--once", "--json"]);
  return new Map(eventsOf<Figures>(stdout).map((one) => [one.binary, one]));
}
const edge = (of: Figures | undefined) => of?.calls.find((call) => call.edge === "call:GetAd>ProduceAd");

interface Drawn {
  services: object[];
  flows: { stages: object[] }[];
  bundles: { name: string; services: string[] }[];
  binaries: { name: string; listen?: unknown; replicas?: number }[];
}
const file = (): string => path.join(dir, "topology.json");
function draw(change: (drawn: Drawn) => void): void {
  const drawn = JSON.parse(readFileSync(file(), "utf8")) as Drawn;
  change(drawn);
  writeFileSync(file(), JSON.stringify(drawn));
}
const models = ({ binaries }: Drawn) => binaries.find(({ name }) => name === "models-server")!;

beforeAll(async () => {
  dir = mkdtempSync(path.join(penstock.folder, "apart-"));
  copyExample("ads", dir);
  copyFileSync(`${GOLDEN_FOLDER}apart/topology.json`, file());
  draw(({ services, flows, bundles }) => {
    const limit = { perSecond: 100, burst: 1, excess: "fail" };
    services.push({ name: "Limit", request: "Ad", node: { type: "rate-limit", settings: limit } });
    const condition = "std::fmod(request.score * 1e6, 2.0) < 1.0";
    services.push({ name: "Keep", request: "Ad", node: { type: "filter", settings: { condition } } });
    bundles.find(({ name }) => name === "Logs")!.services.push("Limit", "Keep");
    const more = ["Limit", "Keep"].map((service) => ({
      id: service.toLowerCase(),
      service,
      role: "side-effect",
    }));
    flows[0]!.stages.splice(1, 0, ...more);
  });
  penstock.trust(dir);
  const built = await penstock.run(["build", dir]);
  expect(built.stderr).not.toContain("warning");
  expect(built.code).toBe(0);
}, 900_000);
afterAll(async () => {
  await penstock.run(["stop", dir]);
  server?.stop();
  await penstock.cleanUp();
});

const PORT = ownPort("apart");
const listenOver = (transport: string, isAnnounced: boolean): string[] =>
  transport === "shm" ? [] : [`${transport}://127.0.0.1:${isAnnounced ? 0 : PORT}`];
/** Where they are looked for. */
async function discoveryOf(transport: string, isAnnounced: boolean): Promise<string | undefined> {
  if (!isAnnounced) return transport === "tcp" ? "file:peers.json" : undefined;
  server ??= await startNats(mkdtempSync(path.join(penstock.folder, "nats-")));
  return server.url;
}
/** Draws where the models listen, and where they are looked for. */
const drawListen = (listen: readonly string[], discovery?: string): void =>
  draw((drawn) => Object.assign(models(drawn), { listen, discovery }));

describe.each([
  ["its user's own", true, "shm"],
  ["from elsewhere, behind the fence", false, "shm"],
  ["from elsewhere, over TCP, by a file", false, "tcp"],
  ["from elsewhere, over TCP, by FORB's registry", false, "tcp", false, true],
  ["from elsewhere, over TCP, by a server", false, "tcp", true],
  ["from elsewhere, over UDP", false, "udp"],
  ["from elsewhere, with keys over TLS", false, "tls"],
])("a drawing of two binaries, %s", (_, own, transport, isAnnounced = false, isRegistry = false) => {
  test("answers across them, says so when one is gone, and goes on when it is back", async () => {
    penstock.trust(dir, own);
    const listen = listenOver(transport, isAnnounced);
    drawListen(listen, await discoveryOf(transport, isAnnounced));
    const found = JSON.stringify({ "models-server": listen.map((address) => address.replace("tcp://", "")) });
    const peers = path.join(dir, "peers.json");
    writeFileSync(peers, isRegistry ? '{"objects": []}' : found);
    if (isRegistry) expect((await penstock.run(["registry", dir, "--write", peers])).code).toBe(0);
    if (transport === "tls") expect((await penstock.run(["keys", dir])).code).toBe(0);
    // They end as soon as nothing is left to do, however late a busy machine makes that.
    const env = { PENSTOCK_PATIENCE: "60", PENSTOCK_DRAIN_MS: "240000" };
    const running = penstock.start(["run", dir, "--json"], { env });
    let said = "";
    running.child.stdout?.on("data", (text: string) => (said += text));
    const pids = (binary: string): number[] =>
      eventsOf<{ event: string; binary: string; pid: number }>(said)
        .filter((one) => one.event === "ready" && one.binary === binary)
        .map(({ pid }) => pid);
    await vi.waitUntil(() => pids("ads-server").length + pids("models-server").length === 2, patient);
    // Who calls comes after those that it calls.
    const ready = eventsOf<{ event: string; binary: string }>(said).filter(({ event }) => event === "ready");
    expect(ready.map(({ binary }) => binary)).toEqual(["models-server", "ads-server"]);

    const answered = async (atLeast: number) =>
      vi.waitFor(async () => {
        const of = await figures();
        const { total = 0, errors = 0 } = edge(of.get("ads-server")) ?? {};
        expect(total - errors).toBeGreaterThan(atLeast);
        const served = of.get("models-server")?.nodes.find(({ node }) => node === "service:ProduceAd");
        expect(served?.total).toBeGreaterThan(atLeast);
        // Stages of the one's flow are services of the other: one that fails half of its events, which are rescued
        // there, one that ends half of the rest, and one for those.
        const stage = (name: string): number =>
          of.get("models-server")?.nodes.find(({ node }) => node === `service:${name}`)?.total ?? 0;
        expect(stage("LogAd")).toBeGreaterThan(20);
        expect(stage("CountError")).toBeGreaterThan(20);
        expect(stage("Keep")).toBeGreaterThan(stage("LogAd") + 5);
        expect(stage("Limit")).toBeGreaterThan(stage("Keep") + 20);
        return total - errors;
      }, patient);
    const before = await answered(100);
    // What another binary runs is that one's alone.
    await vi.waitFor(async () => {
      const now = await figures();
      expect(now.get("ads-server")?.nodes.map(({ node }) => node)).not.toContain("service:ProduceAd");
      expect(now.get("ads-server")?.nodes.map(({ node }) => node)).not.toContain("service:LogAd");
      expect(now.get("models-server")?.calls).toEqual([]);
      // How far it is there.
      expect(now.get("models-server")?.links).toEqual([]);
      const [link] = now.get("ads-server")?.links ?? [];
      expect(link).toMatchObject({ binary: "models-server", transport, down: null });
      expect(link?.open).toBeGreaterThan(0);
      expect(link?.roundTripUs).toBeGreaterThan(0);
    }, patient);

    const [pid = 0] = pids("models-server");
    const at = isAnnounced
      ? expect.stringMatching(/^tcp:\/\/127\.0\.0\.1:[1-9]\d*$/)
      : (listen[0] ?? expect.stringMatching(/^unix:.*\/models-server\.[0-9a-f]{16}\.sock$/));
    await vi.waitFor(async () => {
      const resolved = await penstock.run(["resolve", dir, "LogAd", "--json"]);
      expect(JSON.parse(resolved.stdout)).toMatchObject({
        binary: "models-server",
        processes: [{ name: "models-server", pid, listens: [at] }],
      });
    }, patient);
    process.kill(pid, "SIGKILL");
    await vi.waitUntil(() => pids("models-server").length === 2, patient);
    await answered(before + 100);

    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    // Behind the fence they have the usual time.
    for (const binary of own ? ["ads-server", "models-server"] : [])
      expect(eventsOf<object>(said).filter((one) => "code" in one)).toContainEqual(
        expect.objectContaining({ event: "exit", binary, code: 0, signal: null }),
      );
  }, 900_000);
});

test("several processes of a binary share its calls, are changed as one, and go on when one is gone", async () => {
  penstock.trust(dir);
  drawListen([]);
  draw((drawn) => (models(drawn).replicas = 2));
  const running = penstock.start(["run", dir, "--json"], { env: { PENSTOCK_PATIENCE: "60" } });
  let said = "";
  running.child.stdout?.on("data", (text: string) => (said += text));
  const ready = () =>
    eventsOf<{ event: string; binary: string; pid: number }>(said).filter((one) => one.event === "ready");
  const names = () =>
    ready()
      .map(({ binary }) => binary)
      .sort();
  await vi.waitUntil(() => names().length === 3, patient);
  expect(names()).toEqual(["ads-server", "models-server", "models-server.2"]);

  const served = async (binary: string): Promise<number> => {
    const of = (await figures()).get(binary);
    return of?.nodes.find(({ node }) => node === "service:ProduceAd")?.total ?? 0;
  };
  for (const one of ["models-server", "models-server.2"])
    await vi.waitFor(async () => expect(await served(one)).toBeGreaterThan(50), patient);

  const resolved = await penstock.run(["resolve", dir, "LogAd", "--json"]);
  expect(resolved.code).toBe(0);
  const led = JSON.parse(resolved.stdout) as {
    processes: { name: string; pid: number; listens: string[] }[];
  };
  expect(led).toMatchObject({ binary: "models-server", wireName: "Logs/LogAd", callers: ["ads-server"] });
  expect(led.processes.map(({ name, pid }) => ({ name, pid }))).toEqual(
    ready()
      .filter(({ binary }) => binary !== "ads-server")
      .map(({ binary: name, pid }) => ({ name, pid }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  );
  expect(new Set(led.processes.map(({ listens: [at = ""] }) => path.basename(at).slice(0, 14)))).toEqual(
    new Set(["models-server."]),
  );

  const set = await penstock.run(["set", dir, "pool.resize", "models", "3", "--binary", "models-server"]);
  expect(set.code).toBe(0);
  const now = await figures();
  for (const one of ["models-server", "models-server.2"])
    expect(now.get(one)?.pools.find(({ node }) => node.endsWith("/models"))?.threads).toBe(3);

  const before = await served("models-server.2");
  process.kill(ready().find(({ binary }) => binary === "models-server")!.pid, "SIGKILL");
  await vi.waitFor(async () => expect(await served("models-server.2")).toBeGreaterThan(before + 50), patient);
  await vi.waitUntil(() => names().length === 4, patient);
  expect(names()).toEqual(["ads-server", "models-server", "models-server", "models-server.2"]);

  const stopped = await penstock.run(["stop", dir, "--binary", "models-server", "--json"]);
  const document = JSON.parse(stopped.stdout) as { stopped: { binary: string }[] };
  expect(document.stopped.map(({ binary }) => binary)).toEqual(["models-server", "models-server.2"]);
  expect((await penstock.run(["resolve", dir, "models-server/ProduceAd"])).stderr).toContain("not running");
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
}, 900_000);
