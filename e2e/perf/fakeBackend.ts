import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import type {
  BenchStatus,
  LoadStatus,
  BinaryStatus,
  BuildStatus,
  ExampleInfo,
  ListedProject,
  LiveSample,
  LiveSchema,
  NodeInfo,
  SourceInfo,
  ProjectDocument,
  ServerMessage,
  SourceText,
  Status,
} from "@penstock/codegen/contract";
import { STANDARD_SOURCES } from "@penstock/codegen/sources";
import { emptyLayout, type Layout } from "@penstock/codegen/topology";
import type { Page, WebSocketRoute } from "@playwright/test";

/** What the fake server tells the designer. */
export interface World {
  topology: string;
  layout?: Layout;
  schema: LiveSchema;
  sample: (tMs: number, seq: number) => LiveSample;
  build?: BuildStatus;
  bench?: BenchStatus;
  load?: LoadStatus;
  files?: SourceText[];
  intervalMs: number;
  /** Minutes that the process has run before the page came; the past of its charts. */
  pastMinutes?: number;
  /** A pool was given another size. */
  resized?: (threads: number) => void;
  /** Asked once a second: its controller has changed a pool. */
  adapts?: () => boolean;
}
/** What the imitated binary answers to a change of a join. */
const REFUSED = {
  code: "refused",
  message: 'The stage "log" would run on one thread of the pool "front"',
  help: "Give the join more threads.",
};

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
};
export const ORIGIN = "http://127.0.0.1:7999";
const PROJECT = "0123456789abcdef0123";
/** As strict as the page can bear; a violation is a console error, which the callers look for. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; " +
  "connect-src 'self' ws://127.0.0.1:7999; worker-src 'self'; frame-ancestors 'none'";

const status: Status = {
  version: "0.1.0",
  workspace: "~/penstock",
  root: false,
  writable: true,
  machine: {
    hostname: "lab",
    model: "AMD EPYC",
    cpus: [
      { id: 0, core: 0, node: 0 },
      { id: 1, core: 1, node: 0 },
    ],
    memoryBytes: 8e9,
  },
  missing: [],
};

/** A quarter of an hour as a server keeps it: the older, the coarser. */
function past(world: World, started: number): { ageMs: number; sample: LiveSample }[] {
  const samples: { ageMs: number; sample: LiveSample }[] = [];
  let ageMs = Math.min(15, world.pastMinutes ?? 0) * 60_000;
  while (ageMs > 500) {
    samples.push({ ageMs, sample: world.sample(Date.now() - ageMs - started, 0) });
    ageMs -= ageMs > 300_000 ? 10_000 : ageMs > 60_000 ? 3000 : 1000;
  }
  return samples;
}

/** An example with its drawing. */
function example(name: string, title: string, doc: string): ExampleInfo {
  const text = (file: string) =>
    readFileSync(fileURLToPath(new URL(`../../examples/${name}/${file}`, import.meta.url)), "utf8");
  return { name, title, doc, topology: text("topology.json"), layout: text("layout.json") };
}

/** The palette of standard nodes, as their manifests have it. */
function standardNodes(): NodeInfo[] {
  const folder = fileURLToPath(new URL("../../templates/nodes/", import.meta.url));
  return readdirSync(folder).map((type) => ({
    ...(JSON.parse(readFileSync(join(folder, type, "node.json"), "utf8")) as NodeInfo),
    documentation: readFileSync(join(folder, type, "doc.md"), "utf8"),
    own: false,
  }));
}

/** The same of sources. */
const standardSources = (): SourceInfo[] =>
  [...STANDARD_SOURCES.values()].map((source) => ({ ...source, documentation: "", own: false }));

/**
 * Serves the built designer and an imitated server to one page, without a port: for measuring
 * the canvas with more nodes and samples than a real binary on a small machine would give.
 * Returns the address to open.
 */
export async function serveFake(
  page: Page,
  dist: string,
  world: World,
): Promise<{ url: string; stop: () => void }> {
  const timers = new Set<ReturnType<typeof setInterval>>();
  const document: ProjectDocument = {
    id: PROJECT,
    revision: "r1",
    topology: world.topology,
    layout: world.layout ?? emptyLayout(),
    readOnly: false,
    readOnlyReason: "",
    trusted: true,
  };
  const hash = world.schema.topologyHash;
  let saves = 1;
  let tell: (message: ServerMessage) => void = () => undefined;
  const info: ListedProject = {
    id: PROJECT,
    name: "ads",
    doc: "Best of several ads within 100 ms",
    modifiedAtMs: Date.now(),
    trusted: true,
    running: [],
  };
  const answers: Record<string, unknown> = {
    "/api/status": status,
    "/api/examples": [
      example("ads", "Ads", "Best of several ads within 100 ms"),
      example("hello", "Hello", "Addition and multiplication: the smallest project"),
    ],
    "/api/projects": [info],
    [`/api/projects/${PROJECT}`]: document,
    [`/api/projects/${PROJECT}/logs`]: { lines: [] },
    [`/api/projects/${PROJECT}/nodes`]: { nodes: standardNodes(), sources: standardSources(), problems: [] },
    [`/api/projects/${PROJECT}/calls`]: {},
    [`/api/projects/${PROJECT}/handlers`]: { problems: [], changes: [] },
    [`/api/projects/${PROJECT}/files`]: (world.files ?? []).map((file, index) => ({
      id: file.id,
      path: file.path,
      node: ["service:GetAd", "service:LogAd", "flow:Impressions"][index] ?? "",
      owner: file.readOnly ? "generated" : "user",
      written: true,
    })),
    ...Object.fromEntries(
      (world.files ?? []).map((file) => [`/api/projects/${PROJECT}/files/${file.id}`, file]),
    ),
  };
  await page.addInitScript(() => localStorage.setItem("penstock.token", "fake"));
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith("/api/")) {
      if (route.request().method() === "PUT" && pathname === `/api/projects/${PROJECT}`) {
        const { topology } = route.request().postDataJSON() as { topology: string };
        const revision = `r${++saves}`;
        // As large as a hash; what differs only in looks or in spaces is the same model.
        const same = JSON.stringify(JSON.parse(topology)) === JSON.stringify(JSON.parse(world.topology));
        const topologyHash = same ? hash : `sha256:${String(saves).padStart(64, "5e")}`;
        tell({ type: "saved", project: PROJECT, revision, topologyHash });
        return route.fulfill({ json: { revision, problems: [] } });
      }
      if (pathname.endsWith("/command")) {
        const { params } = route.request().postDataJSON() as { params: { threads?: number } };
        if (params.threads === undefined) return route.fulfill({ status: 422, json: { error: REFUSED } });
        world.resized?.(params.threads);
        tell({ type: "live-schema", project: PROJECT, schema: world.schema });
        return route.fulfill({ json: { asked: params.threads, actual: params.threads } });
      }
      const answer = answers[pathname];
      return answer === undefined
        ? route.fulfill({ status: 404, json: { error: { code: "not-found", message: pathname, help: "" } } })
        : route.fulfill({ json: answer });
    }
    const file = normalize(pathname === "/" ? "/index.html" : pathname);
    const body = await readFile(join(dist, file));
    return route.fulfill({
      body,
      contentType: TYPES[extname(file)] ?? "application/octet-stream",
      headers: { "content-security-policy": POLICY },
    });
  });
  await page.routeWebSocket(`${ORIGIN.replace("http", "ws")}/api/socket`, (socket: WebSocketRoute) => {
    const send = (message: ServerMessage) => socket.send(JSON.stringify(message));
    tell = send;
    socket.onMessage((text) => {
      const message = JSON.parse(String(text)) as { type: string };
      if (message.type !== "open") return;
      const running: BinaryStatus = {
        binary: world.schema.binary,
        state: "running",
        detail: "",
        pid: world.schema.pid,
        control: null,
        http: null,
        startedAtMs: Date.now() - 134_000,
        restarts: 0,
        topologyHash: hash,
      };
      send({ type: "opened", project: PROJECT, revision: "r1", topologyHash: hash });
      send({ type: "binaries", project: PROJECT, binaries: [running] });
      if (world.build) send({ type: "build", project: PROJECT, status: world.build });
      if (world.load) send({ type: "load", project: PROJECT, status: world.load });
      if (world.bench) send({ type: "bench", project: PROJECT, status: world.bench });
      send({ type: "live-schema", project: PROJECT, schema: world.schema });
      const started = Date.now() - (world.pastMinutes ?? 2) * 60_000 - 14_000;
      if (world.pastMinutes) {
        const { binary } = world.schema;
        send({ type: "live-history", project: PROJECT, binary, samples: past(world, started) });
      }
      let seq = 0;
      timers.add(
        setInterval(() => {
          if (world.adapts?.() === true)
            send({ type: "live-schema", project: PROJECT, schema: world.schema });
        }, 1000),
      );
      timers.add(
        setInterval(() => {
          const sample = world.sample(Date.now() - started, seq++);
          send({ type: "live-sample", project: PROJECT, binary: world.schema.binary, sample, skipped: 0 });
        }, world.intervalMs),
      );
    });
  });
  return {
    url: `${ORIGIN}/?project=${PROJECT}`,
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
