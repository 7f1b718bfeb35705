import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { Designer } from "../support/designer.js";
import { PATIENT } from "../support/penstock.js";
import { processIn } from "../support/threadsOf.js";

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

test("should have the ads example built and running when somebody types npm start", async ({ page }) => {
  const root = await mkdtemp(path.join(tmpdir(), "penstock-npm-start-"));
  const workspace = path.join(root, "workspace");
  const args = ["start", "--", "--headless", "--port", "0", "--workspace", workspace];
  const child = spawn("npm", args, {
    cwd: repository,
    // A group of its own, as a terminal gives it.
    detached: true,
    env: { ...process.env, ...PATIENT, XDG_STATE_HOME: path.join(root, "state") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString()));
  try {
    let address: string | undefined;
    for await (const line of createInterface({ input: child.stdout })) {
      address = /The designer is at (\S+)/.exec(line)?.[1];
      if (address !== undefined) break;
    }
    expect(address, words).toBeDefined();
    await page.goto(address!);
    const designer = new Designer(page);
    await designer.awaitRunning();
    await expect(designer.treeRow("GetAd").locator(".live-figure")).toHaveText(/^\s*[1-9][\d.,]*\s*\/s$/);
    await expect.poll(() => words).toMatch(/✓ Example ads: ads-server runs \(process \d+\)/);
    const pid = await processIn(path.join(workspace, "ads"));
    expect(pid).toBeDefined();
    process.kill(-child.pid!, "SIGINT");
    await ended;
    await expect.poll(() => processIn(path.join(workspace, "ads"))).toBeUndefined();
  } finally {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGTERM");
    await ended;
    await rm(root, { recursive: true, force: true, maxRetries: 100, retryDelay: 100 });
  }
});
