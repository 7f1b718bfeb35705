import path from "node:path";
import type { Penstock } from "./penstock.js";

interface Node {
  node: string;
  total: number;
  errors: number;
  inFlight: number;
  callsPerSecond: number;
  p99Us: number | null;
}
interface Sample {
  nodes: Node[];
  pools: { node: string; threads: number; queued: number; busy: number }[];
}

/** One second of a running project as the command line sees it. */
export async function monitor(penstock: Penstock, project: string): Promise<Sample> {
  const answer = await penstock.cli("monitor", path.join(penstock.workspace, project), "--once", "--json");
  const line = answer.stdout.split("\n").find((text) => text.includes('"sample"'));
  if (!line) throw new Error(`penstock monitor: ${answer.stdout}${answer.stderr}`);
  return JSON.parse(line) as Sample;
}

export async function nodeOf(penstock: Penstock, project: string, ref: string): Promise<Node> {
  const sample = await monitor(penstock, project);
  const found = sample.nodes.find((node) => node.node === ref);
  if (!found) throw new Error(`penstock monitor shows no ${ref}`);
  return found;
}
