import type { LoadReport, LoadSecond, LoadStatus } from "@penstock/codegen/contract";

const SETTINGS: LoadReport["settings"] = {
  start: 200,
  step: 10,
  periodS: 10,
  most: null,
  forS: null,
  recoveryS: 15,
  tolerance: 0.05,
};

/** A target that does 393 events a second and lets the rest wait. */
function seconds(count: number): LoadSecond[] {
  let waiting = 4;
  return Array.from({ length: count }, (_, second) => {
    const target = SETTINGS.start + Math.floor(second / SETTINGS.periodS) * SETTINGS.step;
    const completed = Math.min(target + waiting - 4, 393);
    waiting += target - completed;
    const late = (waiting / 393) * 1e6;
    return {
      second,
      target,
      sent: target,
      completed,
      failed: 0,
      waiting,
      queued: waiting,
      p50Us: 11_000 + late + 300 * (second % 3),
      p90Us: 14_000 + late,
      p99Us: 17_000 + late * 1.2 + 900 * (second % 5),
      maxUs: 20_000 + late * 1.3,
      busy: null,
      held: waiting < 25,
    };
  });
}
const report = (count: number, more: Partial<LoadReport> = {}): LoadReport => ({
  version: 1,
  target: { kind: "flow", binary: "ads-server", flow: "Impressions" },
  settings: SETTINGS,
  startedAtMs: Date.now() - count * 1000,
  lengthS: null,
  outcome: "interrupted",
  heldPerSecond: SETTINGS.start + (Math.floor(count / SETTINGS.periodS) - 1) * SETTINGS.step,
  breakingPoint: null,
  seconds: seconds(count),
  whole: null,
  failures: [],
  ...more,
});

/** What the tab Load can show. */
export const LOAD_STATES = {
  empty: { phase: "idle", report: null, problems: [] },
  loading: { phase: "loading", report: report(127), problems: [] },
  broke: {
    phase: "broke",
    report: report(218, {
      outcome: "broke",
      heldPerSecond: 390,
      breakingPoint: { perSecond: 390, brokeAt: 400, second: 200, fault: "waiting" },
      target: { kind: "url", method: "POST", url: "http://127.0.0.1:8080/twirp/ads.AdBundle/GetAd" },
      whole: {
        ...{ tookMs: 218_000, sent: 67_310, completed: 66_204, failed: 12 },
        ...{ minUs: 9_800, p50Us: 13_400, p95Us: 1_240_000, p99Us: 2_610_000, maxUs: 2_902_000 },
      },
    }),
    problems: [],
  },
  failed: {
    phase: "failed",
    report: report(84, {
      outcome: "failed",
      heldPerSecond: 270,
      breakingPoint: { perSecond: 270, brokeAt: 280, second: 84, fault: "gone" },
    }),
    problems: [
      {
        code: "PS886",
        severity: "error",
        message: "ads-server Impressions was gone after 84 s",
        pointer: "",
        help: "Read its log: a crash names its signal, service and thread.",
      },
    ],
  },
} satisfies Record<string, LoadStatus>;
