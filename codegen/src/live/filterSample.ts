import {
  CELL_KINDS,
  LIVE_ROWS,
  ROW_NAMES,
  sampledEvents,
  type LiveSample,
  type LiveSchema,
  type RowKind,
  type RowName,
} from "../contract/index.js";

/** The node references a browser has in view. */
export type ViewFilter = "all" | ReadonlySet<string>;

/** The rows of a sample that belong to what is in view; totals of the process are always kept. */
export function filterSample(schema: LiveSchema, sample: LiveSample, view: ViewFilter): LiveSample {
  if (view === "all") return sample;
  const services = new Set(
    schema.services.filter(({ name }) => view.has(`service:${name}`)).map(({ id }) => id),
  );
  const flows = new Set<number>();
  const stages = new Set<string>();
  for (const flow of schema.flows) {
    if (view.has(`flow:${flow.name}`)) flows.add(flow.id);
    flow.stages.forEach((stage, index) => {
      if (!view.has(`stage:${flow.name}/${stage.id}`)) return;
      stages.add(`${flow.id}/${index}`);
      // Edges into a stage show the figures of its flow and of its service.
      flows.add(flow.id);
      services.add(stage.service);
    });
  }
  const remotes = new Set(
    schema.remotes?.filter(({ name }) => view.has(`service:${name}`)).map(({ id }) => id),
  );
  const calls = new Set(
    schema.calls
      .filter(({ from, to }) => services.has(from) || services.has(to) || remotes.has(to))
      .map(({ id }) => id),
  );
  const binaryInView = view.has(`binary:${schema.binary}`);
  const pools = new Set(
    schema.pools
      .filter(
        ({ name, id }) =>
          binaryInView || view.has(`pool:${schema.binary}/${name}`) || usesPool(schema, services, id),
      )
      .map(({ id }) => id),
  );
  const isSeen: Record<RowKind["of"], (id: number, second: number) => boolean> = {
    service: (id) => services.has(id),
    call: (id) => calls.has(id),
    flow: (id) => flows.has(id),
    stage: (flow, index) => stages.has(`${flow}/${index}`) || flows.has(flow),
    pool: (id) => pools.has(id),
    // A few at most, and wanted wherever a wire to another binary is seen.
    link: () => true,
  };
  const seen: Partial<Record<RowName, unknown>> = {};
  for (const name of ROW_NAMES) {
    const { of } = LIVE_ROWS[name];
    const at = CELL_KINDS[name].indexOf("k");
    const rows: readonly (readonly unknown[])[] | undefined = sample[name];
    if (rows) seen[name] = rows.filter((row) => isSeen[of](Number(row[at]), Number(row[at + 1])));
  }
  // Rows of the sample's own, fewer of them.
  return {
    ...sample,
    ...(seen as Pick<LiveSample, RowName>),
    ...(sample.traces && {
      traces: sampledEvents(sample).flatMap(({ flow, trace }) => (flows.has(flow) ? [trace] : [])),
    }),
  };
}

const usesPool = (schema: LiveSchema, services: ReadonlySet<number>, pool: number): boolean =>
  schema.services.some((service) => service.pool === pool && services.has(service.id)) ||
  schema.flows.some((flow) =>
    flow.stages.some((stage) => stage.pool === pool && services.has(stage.service)),
  );
