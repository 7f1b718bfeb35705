import { describe, expect, it } from "vitest";
import { parseCpus, writtenCpus } from "./cpus.js";

describe("lists of CPUs", () => {
  it("reads numbers and ranges", () => {
    expect(parseCpus("0-2, 5")).toEqual([0, 1, 2, 5]);
    expect(parseCpus("3 1 3")).toEqual([1, 3]);
    expect(parseCpus("")).toEqual([]);
    expect(parseCpus("any")).toEqual([]);
  });
  it("refuses what is no list", () => {
    for (const text of ["x", "2-1", "1024", "-1", "1.5"])
      expect([text, parseCpus(text)]).toEqual([text, undefined]);
  });
  it("writes neighbours as a range, and reads what it wrote", () => {
    expect(writtenCpus([5, 0, 2, 1])).toBe("0-2, 5");
    expect(parseCpus(writtenCpus([0, 1, 7, 9, 10]))).toEqual([0, 1, 7, 9, 10]);
  });
});
