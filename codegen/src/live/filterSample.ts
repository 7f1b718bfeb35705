import type { LiveSample, LiveSchema } from "../protocol/index.js";

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
  const calls = new Set(
    schema.calls.filter(({ from, to }) => services.has(from) || services.has(to)).map(({ id }) => id),
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
  return {
    ...sample,
    services: sample.services.filter(([id]) => services.has(id)),
    implementations: sample.implementations.filter(([service]) => services.has(service)),
    calls: sample.calls.filter(([id]) => calls.has(id)),
    flows: sample.flows.filter(([id]) => flows.has(id)),
    stages: sample.stages.filter(([flow, index]) => stages.has(`${flow}/${index}`) || flows.has(flow)),
    ...(sample.waits && { waits: sample.waits.filter(([flow]) => flows.has(flow)) }),
    ...(sample.runs && { runs: sample.runs.filter(([flow]) => flows.has(flow)) }),
    ...(sample.stageOutcomes && {
      stageOutcomes: sample.stageOutcomes.filter(([flow]) => flows.has(flow)),
    }),
    ...(sample.fused && { fused: sample.fused.filter(([flow]) => flows.has(flow)) }),
    ...(sample.outcomes && { outcomes: sample.outcomes.filter(([service]) => services.has(service)) }),
    ...(sample.serviceWaits && {
      serviceWaits: sample.serviceWaits.filter(([service]) => services.has(service)),
    }),
    ...(sample.serviceRuns && {
      serviceRuns: sample.serviceRuns.filter(([service]) => services.has(service)),
    }),
    pools: sample.pools.filter(([id]) => pools.has(id)),
    threads: sample.threads.filter(([pool]) => pools.has(pool)),
    ...(sample.traces && { traces: sample.traces.filter(([flow]) => flows.has(flow)) }),
    ...(sample.stuck && { stuck: sample.stuck.filter(([, , service]) => services.has(service)) }),
  };
}

const usesPool = (schema: LiveSchema, services: ReadonlySet<number>, pool: number): boolean =>
  schema.services.some((service) => service.pool === pool && services.has(service.id)) ||
  schema.flows.some((flow) =>
    flow.stages.some((stage) => stage.pool === pool && services.has(stage.service)),
  );
