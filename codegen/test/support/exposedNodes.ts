import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { generateProject } from "../../src/pipeline.js";
import { GOLDEN_FOLDER } from "./project.js";

interface Drawn {
  services: { name: string; node?: { type: string; settings: Record<string, unknown> } }[];
  flows: unknown[];
  bundles: { services: string[]; flows: unknown[] }[];
  binaries: { expose: string[] }[];
}

/**
 * Of the golden project `nodes` the services that its binary exposes, drawn and generated in `dir`; two of them ask
 * the Twirp service at `base`, with `settings` of their own.
 */
export async function drawExposedNodes(
  dir: string,
  base: string,
  settings: (service: string) => Record<string, unknown> = () => ({}),
): Promise<void> {
  const drawn = JSON.parse(readFileSync(`${GOLDEN_FOLDER}nodes/topology.json`, "utf8")) as Drawn;
  const exposed = drawn.binaries[0]!.expose;
  for (const { name, node } of drawn.services)
    // Whoever is asked may stand still, as what tests it does.
    if (node?.type === "twirp-call")
      Object.assign(node.settings, { url: base, timeoutMs: 600_000 }, settings(name));
  drawn.services = drawn.services.filter(({ name }) => exposed.includes(name));
  drawn.flows = [];
  Object.assign(drawn.bundles[0]!, { services: exposed, flows: [] });
  writeFileSync(`${dir}/topology.json`, JSON.stringify(drawn));
  expect(await generateProject(dir)).toMatchObject({ ok: true });
}
