import { expect, test } from "vitest";
import { loadableFlows } from "./live.js";

const flow = (name: string, kind: string, perSecond: number | null) => ({
  id: 0,
  name,
  source: { kind, perSecond },
  stages: [],
});

test("finds the flows whose source makes events at a rate, a project's own among them", () => {
  const flows = [
    flow("Ticks", "rate", 40),
    flow("Ticker", "market-ticker", 5),
    flow("Unlimited", "market-ticker", null),
    flow("Clicks", "http", null),
    flow("Sent", "service", null),
    flow("Whole", "file", null),
    flow("Slowed", "file", 100),
  ];
  expect(loadableFlows({ flows })).toEqual(["Ticks", "Ticker"]);
});
