import { generateProject, type GenerateOptions } from "../../src/pipeline.js";
import { putTopology, type Sketch } from "./project.js";

const message = { name: "Word", fields: [{ name: "text", type: "string", tag: 1 }] };
export const service = (name: string, more: object = {}): object => ({
  name,
  request: "Word",
  response: "Word",
  ...more,
});
/** `others`: messages without a field. */
export const drawing = (services: object[], others: string[] = []): Sketch => ({
  penstock: 1,
  name: "demo",
  messages: [message, ...others.map((name) => ({ name }))],
  services,
  bundles: [{ name: "All", services: services.map((s) => (s as { name: string }).name) }],
  binaries: [{ name: "demo-server", bundles: ["All"] }],
});

/** A generated project of the services given. */
export async function project(dir: string, services: object[], options: GenerateOptions = {}) {
  putTopology(dir, drawing(services));
  return generateProject(dir, options);
}
