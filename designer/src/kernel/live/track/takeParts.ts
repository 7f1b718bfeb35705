import { liveRows, type LiveSample } from "@penstock/codegen/contract";
import type { FlowFigures, ImplementationFigures, ServiceFigures } from "../figures/figures.js";
import type { OutcomeRates } from "./outcomeRates.js";
import type { RanLately } from "./ranLately.js";
import type { Rate } from "./rate.js";

interface TrackedService {
  figures: ServiceFigures;
  /** Of the service, then of its implementations. */
  outcomes?: OutcomeRates[];
  /** Of its implementations. */
  ranLately?: RanLately[];
}
interface TrackedFlow {
  figures: FlowFigures;
  /** Of each stage, the third and the fourth: events served and expired. */
  stages?: { rates: Rate[] }[];
}

const STAGE_ROWS = { wait: "waits", run: "runs", fused: "fused" } as const;

/**
 * Takes over what a sample says apart from done requests and whole latencies: how requests ended, how long they
 * waited and how long they ran. A rate is then that of what was served. Binaries built before leave it out.
 */
export function takeParts(
  sample: LiveSample,
  receivedAt: number,
  serviceOf: (id: number) => TrackedService | undefined,
  flowOf: (id: number) => TrackedFlow | undefined,
): void {
  const { t } = sample;
  for (const row of liveRows(sample, "outcomes")) {
    const service = serviceOf(row.service);
    for (const [place, figures] of partsOf(service, row.index))
      service?.outcomes?.[place]?.take(t, row, figures);
  }
  for (const { service, index, latency } of liveRows(sample, "serviceWaits"))
    for (const [, figures] of partsOf(serviceOf(service), index)) figures.wait = latency;
  for (const { service, index, latency } of liveRows(sample, "serviceRuns"))
    for (const [place, figures] of partsOf(serviceOf(service), index)) {
      figures.run = latency;
      if ("ranLately" in figures)
        figures.ranLately = serviceOf(service)?.ranLately?.[place - 1]?.take(receivedAt, latency) ?? null;
    }
  for (const { flow, index, served, expired } of liveRows(sample, "stageOutcomes")) {
    const rates = flowOf(flow)?.stages?.[index]?.rates;
    const figures = flowOf(flow)?.figures.stages[index];
    if (!rates || !figures) continue;
    figures.rate = rates[2]?.push(t, served) ?? Number.NaN;
    figures.expired = rates[3]?.push(t, expired) ?? Number.NaN;
  }
  for (const part of ["wait", "run", "fused"] as const)
    for (const { flow, index, latency } of liveRows(sample, STAGE_ROWS[part])) {
      const figures = flowOf(flow)?.figures.stages[index];
      if (figures) figures[part] = latency;
    }
}

/** Whose figures a row is about, with their place in `outcomes`: of a service with one implementation both. */
function partsOf(
  service: TrackedService | undefined,
  index: number | null,
): readonly (readonly [place: number, ServiceFigures | ImplementationFigures])[] {
  if (!service) return [];
  const { figures } = service;
  const [only] = figures.implementations;
  if (index !== null) {
    const one = figures.implementations[index];
    return one ? [[index + 1, one]] : [];
  }
  return figures.implementations.length === 1 && only
    ? [
        [0, figures],
        [1, only],
      ]
    : [[0, figures]];
}
