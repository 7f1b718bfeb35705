import { expect, it } from "vitest";
import { levelOf } from "./logLevel.js";

const levels = (...texts: string[]) =>
  texts.map((text) => levelOf({ seq: 0, atMs: 0, binary: "shop", stream: "stderr", text }));

it("takes the level that a line says of itself", () => {
  expect(
    levels(
      "2026-01-02 12:00:01 ERROR db: gone",
      "[error] no such table",
      "shop.cpp:3:4: runtime error: signed integer overflow",
      '{"time":1,"level":"error","msg":"x"}',
      "==12==ERROR: AddressSanitizer: heap-use-after-free",
      "E0102 12:00:01.1 7 shop.cc:3] gone",
    ),
  ).toEqual(Array(6).fill("error"));
  expect(
    levels("WARN slow", "warning: 3 retries", "time=1 level=warn msg=x", "[Warning] after an error: x"),
  ).toEqual(Array(4).fill("warning"));
});

it("knows of none where a line only has such a word, or is of no level", () => {
  expect(
    levels("listening at 127.0.0.1:80", "0 errors, 2 warnings", "an error was avoided", "errored: 0", ""),
  ).toEqual(Array(5).fill(undefined));
});

it("leaves what Penstock says as it says it", () => {
  const own = { seq: 0, atMs: 0, binary: "shop", stream: "penstock", text: "ERROR: x" } as const;
  expect([levelOf(own), levelOf({ ...own, severity: "warning" })]).toEqual([undefined, "warning"]);
});
