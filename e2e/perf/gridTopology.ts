import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/** Columns of the grid: with 1,000 nodes about as wide as a screen is. */
export const COLUMNS = 40;
export const GRID_STEP = { x: 260, y: 140 };

export interface GridNode {
  name: string;
  calls: string[];
  x: number;
  y: number;
}

/** `count` services on a grid, each asking the next one of its row. */
export const gridNodes = (count: number): GridNode[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `Service${index}`,
    calls: index % COLUMNS === COLUMNS - 1 || index + 1 >= count ? [] : [`Service${index + 1}`],
    x: 40 + (index % COLUMNS) * GRID_STEP.x,
    y: 60 + Math.floor(index / COLUMNS) * GRID_STEP.y,
  }));

export function gridTopology(count: number) {
  const nodes = gridNodes(count);
  const services = nodes.map(({ name, calls }) => ({
    name,
    request: "Ping",
    response: "Pong",
    kind: "simple",
    calls,
  }));
  return {
    penstock: 1,
    name: "grid",
    messages: [
      { name: "Ping", fields: [] },
      { name: "Pong", fields: [] },
    ],
    services,
    bundles: [{ name: "All", services: services.map((service) => service.name) }],
    binaries: [{ name: "grid", bundles: ["All"] }],
  };
}

export const gridLayout = (count: number) => ({
  penstock: 1 as const,
  nodes: {
    ...Object.fromEntries(gridNodes(count).map(({ name, x, y }) => [`service:${name}`, { x, y }])),
    "bundle:All": {
      x: 0,
      y: 0,
      width: 80 + COLUMNS * GRID_STEP.x,
      height: 120 + Math.ceil(count / COLUMNS) * GRID_STEP.y,
    },
  },
});

/** The grid as a project on disk. */
export async function writeGridProject(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "topology.json"), `${JSON.stringify(gridTopology(count), null, 2)}\n`);
  await writeFile(path.join(folder, "layout.json"), `${JSON.stringify(gridLayout(count), null, 2)}\n`);
}
