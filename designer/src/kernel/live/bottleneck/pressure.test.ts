import { expect, it } from "vitest";
import { fillPressure, poolPressure } from "./pressure.js";

const pool = {
  binary: "ads-server",
  pool: "models",
  queued: 0,
  queue: 1024,
  blocked: 0,
  busy: 6,
  load: 0.93,
};

it("finds nothing wrong with threads that are busy while nothing waits", () => {
  expect(poolPressure(pool, [])).toBe("");
  expect(poolPressure({ ...pool, queued: 5 }, [{ binary: "ads-server", pool: "front" }])).toBe("");
});

it("finds a pool in trouble that holds up callers, whose queue fills, or that is the bottleneck", () => {
  expect(poolPressure({ ...pool, blocked: 1 }, [])).toBe("bad");
  expect(poolPressure({ ...pool, queued: 1000 }, [])).toBe("bad");
  expect(poolPressure({ ...pool, queued: 700 }, [])).toBe("warn");
  expect(poolPressure({ ...pool, queued: 60 }, [{ binary: "ads-server", pool: "models" }])).toBe("bad");
});

it("finds the thread in trouble that is the bottleneck, and none of the others of its pool", () => {
  const late = [{ binary: "ads-server", pool: "models", thread: 2 }];
  const queued = { ...pool, queued: 1000 };
  expect([0, 1, 2, undefined].map((thread) => poolPressure(queued, late, thread))).toEqual([
    "",
    "",
    "bad",
    "bad",
  ]);
  // Where nothing says which thread it waits for, it may be any.
  expect(poolPressure(queued, [], 0)).toBe("bad");
});

it("judges a queue the same everywhere: 60 %, 85 %, and one without places never", () => {
  expect([0, 60, 61, 85, 86].map((queued) => fillPressure(queued, 100))).toEqual([
    "",
    "",
    "warn",
    "warn",
    "bad",
  ]);
  expect(fillPressure(5, 0)).toBe("");
});
