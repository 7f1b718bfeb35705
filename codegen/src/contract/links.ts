/** Of a hundred packets: a wire within a data center loses next to none, and each lost one makes a call late. */
const DEGRADED_PERCENT = 1;

/** Whether so much of what goes over a link is lost, or seems to be, that its calls are late; null: not known. */
export const isDegraded = (resentPercent: number | null | undefined): resentPercent is number =>
  typeof resentPercent === "number" && resentPercent >= DEGRADED_PERCENT;

/** `5 %`, `1.5 %`: in whole per cent where there are many. */
export const percentWords = (percent: number): string =>
  `${percent < 9.95 ? Number(percent.toFixed(1)) : Math.round(percent)} %`;
