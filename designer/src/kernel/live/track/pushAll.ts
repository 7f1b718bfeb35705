import type { FlowFigures, PoolFigures, ProcessFigures, ServiceFigures } from "../figures/figures.js";
import { partsAt, pushParts, pushTo, type Series } from "./series.js";

/** What of a binary has curves. */
interface Curved {
  services: ReadonlyMap<string, { figures: ServiceFigures; series?: Series }>;
  pools: ReadonlyMap<string, { figures: PoolFigures; series?: Series }>;
  flows: ReadonlyMap<string, { figures: FlowFigures; series?: Series; stages?: { series: Series }[] }>;
  process: ProcessFigures | null;
  processSeries: Series;
}

/** A value for every series, named in the last sample or not: all share the index of the times. */
export function pushAll({ services, pools, flows, process, processSeries }: Curved): void {
  for (const { figures, series } of services.values()) {
    pushTo(series, figures.rate, figures.p50, figures.p99);
    pushParts(series, partsAt(figures));
  }
  for (const { figures, series } of pools.values())
    pushTo(series, figures.load, figures.queued, figures.blocked);
  for (const { figures, series, stages } of flows.values()) {
    pushTo(series, figures.completed, figures.p50, figures.p99);
    stages?.forEach((stage, index) => {
      const of = figures.stages[index];
      pushTo(stage.series, of?.rate ?? Number.NaN, of?.p50 ?? null, of?.p99 ?? null);
      pushParts(stage.series, partsAt(of));
    });
  }
  pushTo(processSeries, process?.cpu ?? Number.NaN, process?.rssBytes ?? null, process?.threads ?? null);
}

/** A moment without values for every series. */
export function pushHole({ services, pools, flows, processSeries }: Curved): void {
  for (const { series } of pools.values()) pushTo(series, Number.NaN, null, null);
  pushTo(processSeries, Number.NaN, null, null);
  const parted = [...services.values(), ...[...flows.values()].flatMap(({ stages }) => stages ?? [])];
  for (const { series } of parted) {
    pushTo(series, Number.NaN, null, null);
    pushParts(series, partsAt(undefined));
  }
  for (const { series } of flows.values()) pushTo(series, Number.NaN, null, null);
}
