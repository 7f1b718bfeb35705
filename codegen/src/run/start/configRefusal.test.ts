import { expect, test } from "vitest";
import { configRefusal } from "./configRefusal.js";

test("what a binary refused is said with the code, the reason and the remedy of that", () => {
  const refused = (...lines: string[]) => configRefusal("app.2", "app", lines);
  expect(refused("app: /p/app.json:3: no such pool", "")).toMatchObject({
    code: "PS875",
    node: "binary:app",
    message: "app.2 refused its configuration: /p/app.json:3: no such pool",
    help: expect.stringContaining("in the drawing"),
  });
  expect(refused()).toMatchObject({ message: "app.2 refused its configuration: it gave no reason" });
  expect(refused("app: 127.0.0.1:1: address already in use")).toMatchObject({ code: "PS876" });
  // Of two lines the first one says which CPU.
  const pins = [
    "app: thread 0 of pool front: no CPU 9",
    "/p/app.json: draw other CPUs, or start with --relax-pins",
  ];
  expect(refused(...pins)).toMatchObject({
    code: "PS753",
    message: "app.2: thread 0 of pool front: no CPU 9",
    help: expect.stringContaining("--relax-pins"),
  });
  // It stands in no drawing.
  expect(refused("app: PENSTOCK_DRAIN_MS=10s: give milliseconds")).toMatchObject({
    code: "PS875",
    help: "Set PENSTOCK_DRAIN_MS right where it is started from, and start it again.",
  });
});
