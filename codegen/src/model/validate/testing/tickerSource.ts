import { sourceManifestSchema, STANDARD_SOURCES, type SourcePalette } from "../../sources/index.js";

/** A source that a project might bring: counts, so many times, at a rate where one is drawn. */
export const TICKER = {
  kind: "ticker",
  title: "Ticker",
  doc: "Counts from 1.",
  hint: "Events that count",
  event: { fields: [{ name: "cookie", types: ["string"] }] },
  repeats: true,
  settings: {
    type: "object",
    properties: {
      count: {
        type: "integer",
        title: "Count",
        description: "So many events.",
        minimum: 1,
        maximum: 100,
        unit: "events",
        initial: 3,
      },
      speech: {
        type: "string",
        title: "Speech",
        description: "What it says.",
        maxLength: 40,
        default: 'tick "tack"',
      },
      mode: {
        type: "string",
        title: "Mode",
        enum: ["slow", "quick"],
        labels: { quick: "At once" },
        default: "slow",
      },
      share: { type: "number", title: "Share", minimum: 0, maximum: 1 },
      loud: { type: "boolean", title: "Loud", default: true },
      perSecond: { type: "number", title: "Ticks per second", format: "rate" },
    },
    required: ["count"],
  },
  cmake: [{ package: "ZLIB", target: "ZLIB::ZLIB" }],
} as const;

/** The sources of a project that brings it. */
export const TICKER_SOURCES: SourcePalette = new Map([
  ...STANDARD_SOURCES,
  [TICKER.kind, sourceManifestSchema.parse(TICKER)],
]);
