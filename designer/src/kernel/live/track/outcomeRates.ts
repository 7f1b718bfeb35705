import type { LiveRow } from "@penstock/codegen/contract";
import { noLatency } from "./latencyFigures.js";
import type { PartFigures, UnservedFigures } from "../figures/figures.js";
import { Rate } from "./rate.js";

/** Rates of how the requests of a service, or of one of its implementations, ended. */
export class OutcomeRates {
  private readonly rates = [new Rate(), new Rate(), new Rate(), new Rate()] as const;

  /** Takes over totals at a moment (milliseconds of the process): its rate is what it served. */
  take(
    t: number,
    { served, expired, skipped, refused }: LiveRow<"outcomes">,
    to: UnservedFigures & { rate: number },
  ): void {
    to.rate = this.rates[0].push(t, served);
    to.expired = this.rates[1].push(t, expired);
    to.skipped = this.rates[2].push(t, skipped);
    to.refused = this.rates[3].push(t, refused);
  }
}

/** Before the first sample, and for binaries that do not tell them apart. */
export const noParts = (): UnservedFigures & PartFigures => ({
  expired: Number.NaN,
  skipped: Number.NaN,
  refused: Number.NaN,
  wait: noLatency(),
  run: noLatency(),
});
