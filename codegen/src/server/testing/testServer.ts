import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiErrorSchema, ROUTES, type RouteRow } from "../../contract/index.js";
import { startServer, type RunningPenstock, type ServerOptions } from "../startServer.js";
import { topologyFormat, type Toolchain } from "../projects/toolchain.js";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every form
  json: any;
}

const rowOf = (method: string, path: string): RouteRow | undefined =>
  Object.values<RouteRow>(ROUTES).find(
    (row) =>
      row.method === method.toLowerCase() &&
      new RegExp(`^${row.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path.split("?")[0] ?? ""),
  );

/** Of refusals the first keys: some send more along, the current version of what was not replaced. */
function requireContract(method: string, path: string, { status, text, json }: Answer): void {
  const row = rowOf(method, path);
  const refused = status < 200 || status > 299;
  if (row === undefined && !refused) throw new Error(`${method} ${path} is no row of the contract`);
  const form = refused ? apiErrorSchema.loose() : row?.answer;
  const checked = form?.safeParse(json);
  if (checked?.success === false)
    throw new Error(`${method} ${path}: not as the contract says: ${checked.error.message}\n${text}`);
}

/** A generator that writes nothing; tests that need files give their own. */
export const idleToolchain: Toolchain = {
  format: topologyFormat,
  generate: async () => ({ ok: true, problems: [], written: [], unchanged: 0, removed: [], milliseconds: 1 }),
  describeSources: async () => [],
  keptSources: async () => new Map(),
  formerSources: async () => [],
  followHandlers: async () => ({ problems: [], changes: [] }),
  nodes: async () => ({ nodes: [], sources: [], problems: [] }),
  variablesRead: async () => [],
};

/** A server over a folder of its own, with its own state folder, and calls on it as a browser makes them. */
export class TestServer {
  private constructor(
    readonly server: RunningPenstock,
    readonly root: string,
    readonly workspace: string,
  ) {}

  static async start(options: Partial<ServerOptions> & { root?: string } = {}): Promise<TestServer> {
    const root = options.root ?? (await mkdtemp(join(tmpdir(), "penstock-server-")));
    process.env["XDG_STATE_HOME"] = join(root, "state");
    const workspace = options.workspace ?? join(root, "workspace");
    const server = await startServer({
      examplesDir: join(root, "examples"),
      runtimeRoot: join(root, "runtime"),
      version: "0.0.0-test",
      port: 0,
      toolchain: idleToolchain,
      // On a busy machine what is stopped ends after the 4 s that users wait.
      stopWithinMs: 600_000,
      ...options,
      workspace,
    });
    return new TestServer(server, root, workspace);
  }

  async stop(): Promise<void> {
    await this.server.close();
    await rm(this.root, { recursive: true, force: true });
  }

  get host(): string {
    return `127.0.0.1:${this.server.port}`;
  }

  /** A request with exactly these headers (and Host), as nothing adds its own. */
  raw(
    method: string,
    path: string,
    headers: Record<string, string | string[]> = {},
    body?: string | Buffer,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { host: "127.0.0.1", port: this.server.port, method, path, headers, agent: false },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            let json: unknown;
            try {
              json = JSON.parse(text);
            } catch {
              json = undefined;
            }
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
          });
          response.on("error", reject);
        },
      );
      request.on("error", reject);
      request.end(body);
    });
  }

  /** A request as the page makes it: signed in, of this origin. Its answer has the form that the contract says. */
  async api(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const changing = method !== "GET";
    const answer = await this.raw(
      method,
      path,
      {
        Authorization: `Bearer ${this.server.token}`,
        ...(changing ? { Origin: `http://${this.host}` } : {}),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      body === undefined ? undefined : JSON.stringify(body),
    );
    requireContract(method, path, answer);
    return answer;
  }

  /** Bytes on the wire as they are; resolves with what came back when the connection ends. */
  wire(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.server.port, "127.0.0.1", () => socket.write(text));
      let answer = "";
      socket.on("data", (chunk) => (answer += String(chunk)));
      socket.on("close", () => resolve(answer));
      socket.on("error", reject);
    });
  }

  async create(name: string): Promise<string> {
    const answer = await this.api("POST", "/api/projects", { name });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json.id as string;
  }
}
