import type { LoadTarget, LoadWhole as Whole } from "@penstock/codegen/contract";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { LoadWhole } from "./LoadWhole.js";

const whole: Whole = {
  tookMs: 10_000,
  sent: 200,
  completed: 198,
  failed: 2,
  minUs: 2_100,
  p50Us: 2_400,
  p95Us: 3_000,
  p99Us: 4_000,
  maxUs: 1_500_000,
};
const address: LoadTarget = { kind: "url", method: "POST", url: "http://127.0.0.1:1/" };
const figuresOf = (shown: Whole, target: LoadTarget = address): string[] => {
  const failures = [
    { reason: "HTTP 401", count: 1 },
    { reason: "ECONNREFUSED", count: 1 },
  ];
  const { unmount } = render(<LoadWhole {...{ target, failures }} whole={shown} />);
  const list = screen.getByLabelText("The whole load");
  const figures = [...list.children].map((one) => one.textContent.replaceAll(/\s/g, " "));
  unmount();
  return figures;
};

test("should show what the whole load came to, and of a flow what is known of it", () => {
  expect(figuresOf(whole)).toEqual([
    ...["sent200", "done198", "failed2 · HTTP 401 · ECONNREFUSED", "done a second20/s"],
    ...["min2.1 ms", "median2.4 ms", "p953.0 ms", "p994.0 ms", "max1.5 s"],
  ]);
  const flow = { ...whole, failed: 0, minUs: null, p50Us: null, p95Us: null, p99Us: null };
  expect(figuresOf(flow)).toEqual(["sent200", "done198", "unfinished2", "done a second20/s", "max1.5 s"]);
  // Of a flow, by its samples, which come a few milliseconds early or late.
  const target: LoadTarget = { kind: "flow", binary: "app", flow: "Events" };
  expect(figuresOf(flow, target)).toEqual(["sent200", "done198", "done a second20/s", "max1.5 s"]);
});
