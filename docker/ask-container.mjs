// Waits until the designer in a container answers /healthz, then signs in as a browser would:
//   node docker/ask-container.mjs PORT COMMAND-THAT-PRINTS-ITS-LOG...
import { spawnSync } from "node:child_process";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { signIn } from "../scripts/start/client.mjs";

const [port, command, ...args] = process.argv.slice(2);
const base = `http://127.0.0.1:${port}`;
const deadline = Date.now() + 50_000;

const healthy = async () => {
  try {
    return (await fetch(`${base}/healthz`)).ok;
  } catch {
    return false;
  }
};

/** The one-time address that the server wrote for its owner. */
function addressInLog() {
  const { stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  return new RegExp(`${base}/?#code=[\\w-]+`).exec(stdout + stderr)?.[0];
}

let address;
while (address === undefined) {
  if (Date.now() > deadline) {
    process.stderr.write(`nothing healthy with an address to sign in at ${base}\n`);
    process.exit(1);
  }
  if (await healthy()) address = addressInLog();
  if (address === undefined) await pause(100);
}
const client = await signIn(address);
const projects = await client.get("/api/projects");
process.stdout.write(`healthy and signed in at ${base}, ${projects.length} projects\n`);
