import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { BrowserContext } from "@playwright/test";
import { gridNodes, writeGridProject } from "./gridTopology.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A page with a large drawing: where it is once its browser has been there before, and how it ends. */
export interface MeasuredPage {
  url: string;
  stop: () => Promise<void>;
}

/** The designer as `penstock serve` gives it, with a project of `count` services on disk. */
export async function designerPage(context: BrowserContext, count: number): Promise<MeasuredPage> {
  const folder = await mkdtemp(path.join(tmpdir(), "penstock-bench-"));
  const workspace = path.join(folder, "flows");
  await writeGridProject(path.join(workspace, "grid"), count);
  const cli = path.join(root, "codegen/bin/penstock.mjs");
  const server = spawn(
    process.execPath,
    [cli, "serve", "--workspace", workspace, "--port", "0", "--no-open", "--json"],
    {
      env: { ...process.env, XDG_STATE_HOME: path.join(folder, "state") },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const address = await addressOf(server);
  const page = await context.newPage();
  await page.goto(address);
  await page
    .getByRole("button", { name: /^grid\b/ })
    .first()
    .click();
  await page.waitForURL(/project=/);
  await page.locator(".react-flow__node").first().waitFor();
  const url = page.url();
  await page.close();
  return {
    url,
    stop: async () => {
      const gone = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function addressOf(server: ChildProcess): Promise<string> {
  if (!server.stdout) throw new Error("the server has no output");
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /http:\/\/[^"\s]+/.exec(line)?.[0];
    if (address) return address;
  }
  throw new Error("penstock serve ended before it was ready");
}

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const SIZE = { width: 200, height: 85 };

/** React Flow with the same nodes in its own look, and nothing else on the page. */
export async function barePage(context: BrowserContext, count: number): Promise<MeasuredPage> {
  const folder = path.join(root, "build/bench/bare");
  if (!existsSync(folder)) throw new Error("the bare page is not built: npm run bench builds it");
  const drawing = JSON.stringify(bareDrawing(count));
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://localhost").pathname;
    if (name === "/nodes.json") {
      response.setHeader("content-type", "application/json").end(drawing);
      return;
    }
    readFile(path.join(folder, name === "/" ? "index.html" : path.normalize(name))).then(
      (body) => response.setHeader("content-type", TYPES[path.extname(name)] ?? "text/html").end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const page = await context.newPage();
  await page.goto(url);
  await page.locator(".react-flow__node").first().waitFor();
  await page.close();
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function bareDrawing(count: number) {
  const drawn = gridNodes(count);
  const port = (type: "source" | "target", position: string, y: number) => ({
    ...{ type, position, x: SIZE.width / 2 - 3, y: y - 3, width: 6, height: 6 },
  });
  return {
    nodes: drawn.map(({ name, x, y }) => ({
      id: name,
      position: { x, y },
      data: { label: name },
      ...SIZE,
      measured: SIZE,
      handles: [port("target", "top", 0), port("source", "bottom", SIZE.height)],
    })),
    edges: drawn.flatMap(({ name, calls }) =>
      calls.map((callee) => ({ id: `${name}>${callee}`, source: name, target: callee })),
    ),
  };
}
