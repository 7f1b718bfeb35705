import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { missingTools } from "../build/index.js";
import { sandboxObstacle } from "../process/index.js";
import { Workspace } from "../workspace/index.js";
import { makeApp } from "./app.js";
import { AuditLog } from "./session/audit.js";
import { boundConnections } from "./http/boundConnections.js";
import { boundPipelining } from "./http/boundPipelining.js";
import { LIMITS } from "./http/limits.js";
import type { ServerContext } from "./routes/context.js";
import { readMachine } from "./machine.js";
import { allowedHosts } from "./middlewares/requestGuard.js";
import { ProjectRunners } from "./projects/projectRunners.js";
import { registerServer } from "./serverRegistry.js";
import { removeLaunchPage, removeStaleLaunchPages } from "./session/launchPage.js";
import { Session } from "./session/session.js";
import { BrowserHub } from "./sockets/hub.js";
import { shareWaiting } from "./sockets/shareWaiting.js";
import { makeSocketServer, upgradeHandler } from "./sockets/upgrade.js";
import { realToolchain, type Toolchain } from "./projects/toolchain.js";

export interface ServerOptions {
  /** Folder of projects; made when it is not there. */
  workspace: string;
  /** 127.0.0.1 unless said otherwise; only loopback addresses, as there is no TLS here. */
  host?: string;
  /** 0 = any free port. */
  port?: number;
  /** The built designer; left out: the API alone. */
  designerDir?: string;
  examplesDir: string;
  /** Where the runtime is installed: `<runtimeRoot>/<preset>/prefix`. */
  runtimeRoot: string;
  version: string;
  toolchain?: Toolchain;
  /** Lines for the terminal; tokens and codes never pass here. */
  log?: (line: string) => void;
  /** How many times as long as usual builds, binaries and clients are waited for; once when left out. */
  patience?: number;
  /** How long builds and binaries are waited for at the end; 4 s, patiently, when left out. */
  stopWithinMs?: number;
}

export interface RunningPenstock {
  /** Without a code. */
  url: string;
  port: number;
  /** An address that signs in, once, within ten minutes. */
  freshUrl(): string;
  /** For a program that uses the API itself (start-up, tests); never print it. */
  token: string;
  /** Stops builds and binaries, closes sockets, gives the workspace back; within seconds, whoever holds on. */
  close(): Promise<void>;
}

/** Thrown for an address that would need TLS. */
export class HostRefusedError extends Error {
  readonly code = "EHOSTREFUSED";
}

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") return reject(error);
      reject(
        Object.assign(new Error(`port ${port} is in use by another program`), { code: "EADDRINUSE", port }),
      );
    });
    server.listen({ port, host }, () => resolve(server.address() as AddressInfo));
  });
}

/** Where it listens, not as it was called: another program may listen at another address of localhost. */
const originOf = ({ family, address, port }: AddressInfo): string =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;

/** Waits for `task`, but not longer: children that have not ended by then die with this process. */
async function within(limitMs: number, task: Promise<void>): Promise<void> {
  const limit = new AbortController();
  const late = setTimeout(limitMs, undefined, { signal: limit.signal }).catch(() => undefined);
  await Promise.race([task, late]);
  limit.abort();
}

/** Starts the designer's server: everything of `contract/api.ts` and `contract/socket.ts`. */
export async function startServer(options: ServerOptions): Promise<RunningPenstock> {
  const {
    host = "127.0.0.1",
    port: wanted = 7000,
    toolchain = realToolchain,
    log = () => undefined,
    patience = 1,
  } = options;
  if (!LOOPBACK.has(host)) {
    throw new HostRefusedError(`${host} is not a loopback address; other addresses need TLS`);
  }
  const workspace = await Workspace.open(options.workspace, toolchain.format);
  const audit = new AuditLog(workspace.stateFolder);
  const session = new Session();
  const hosts = new Set<string>();
  let ready = false;
  let origin = "";

  const runners = new ProjectRunners({
    workspace,
    toolchain,
    runtimeRoot: options.runtimeRoot,
    patience,
    publish: (message) => hub.publish(message),
    publishSample: (project, schema, sample) => hub.publishSample(project, schema, sample),
    isWatched: (project) => hub.isWatched(project),
    log,
  });
  const look = shareWaiting(async (project) => {
    const { document, topology } = await workspace.drawn(project);
    const runner = await runners.of(project);
    await runner.binaryNames().catch(() => undefined);
    return { document, topologyHash: topology ? toolchain.format.hash(topology) : "", runner };
  });
  const hub: BrowserHub = new BrowserHub((socket, project) =>
    look(project)
      .then(({ document, topologyHash, runner }) => {
        runner.drawing.opened(document.revision);
        socket.send({ type: "opened", project, revision: document.revision, topologyHash });
        runner.tellAll(socket);
      })
      .catch((error: unknown) => socket.send({ type: "error", message: (error as Error).message })),
  );
  const freshUrl = (): string => `${origin}/#code=${session.makeCode()}`;
  const context: ServerContext = {
    workspace,
    session,
    audit,
    hub,
    toolchain,
    runners,
    examplesDir: options.examplesDir,
    freshUrl,
    signedIn: new WeakSet(),
    isReady: () => ready,
    status: async () => ({
      version: options.version,
      workspace: workspace.root,
      root: process.getuid?.() === 0,
      writable: workspace.writable,
      machine: await readMachine(),
      missing: await missingTools(),
    }),
  };

  const app = makeApp(context, hosts, options.designerDir, log);
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.headersTimeoutMs * patience,
      requestTimeout: LIMITS.requestTimeoutMs * patience,
      keepAliveTimeout: LIMITS.keepAliveTimeoutMs * patience,
      connectionsCheckingInterval: LIMITS.connectionsCheckingIntervalMs,
      insecureHTTPParser: false,
    },
    (request, response) => {
      if (!request.socket.destroyed) app(request, response);
    },
  );
  boundPipelining(server);
  boundConnections(server, LIMITS.strangers, context.signedIn);
  // Descriptors are kept free for files, builds and binaries: beyond this, connections wait outside.
  server.maxConnections = Math.max(16, Math.min(1024, openFileLimit() - 200));
  const sockets = makeSocketServer();
  sockets.on("connection", (client) => hub.add(client));
  server.on("upgrade", upgradeHandler({ hosts, session, signedIn: context.signedIn, audit, sockets }));
  const connections = new Set<Socket>();
  server.on("connection", (connection: Socket) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
  });
  server.on("checkContinue", (request: IncomingMessage, response) =>
    server.emit("request", request, response),
  );

  try {
    const address = await listen(server, wanted, host);
    const { port } = address;
    for (const name of allowedHosts(port)) hosts.add(name);
    origin = originOf(address);
    const unregister = await registerServer({
      url: origin,
      workspace: workspace.root,
      token: session.tokenForFile(),
    });
    await removeStaleLaunchPages();
    audit.record({ what: "server start", result: `port ${port}` });
    if (process.getuid?.() === 0) log("WARNING: running as root; a handler's mistake costs more here.");
    const obstacle = await sandboxObstacle();
    if (obstacle !== "") log(`Builds run without a sandbox: ${obstacle}.`);
    if (!workspace.writable) log("The workspace is read-only: saving is off.");
    ready = true;
    let closing: Promise<void> | null = null;
    const close = async (): Promise<void> => {
      ready = false;
      // First of all: a tab that comes back at once would keep the server alive.
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await unregister();
      await Promise.all(session.openCodes().map(removeLaunchPage));
      hub.close();
      await within(options.stopWithinMs ?? LIMITS.stopWithinMs * patience, runners.close());
      for (const connection of connections) connection.destroy();
      await closed;
      audit.record({ what: "server stop", result: "ok" });
      audit.close();
      await workspace.close();
    };
    return {
      url: origin,
      port,
      freshUrl,
      token: session.tokenForFile(),
      close: () => (closing ??= close()),
    };
  } catch (error) {
    hub.close();
    audit.close();
    await workspace.close();
    throw error;
  }
}

/** How many file descriptors this process may have open (the soft limit). */
function openFileLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 1024);
  } catch {
    return 1024;
  }
}
