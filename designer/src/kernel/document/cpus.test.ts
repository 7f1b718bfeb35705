import { describe, expect, it } from "vitest";
import { cpusFault, parseCpus, writtenCpus } from "./cpus.js";

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
  it("says which CPUs a machine does not have, and which it has", () => {
    expect(cpusFault("0-99", [0, 1])).toBe("This machine has no CPU 2-99, it has 0-1.");
    expect(cpusFault("1, 3", [0, 1])).toBe("This machine has no CPU 3, it has 0-1.");
    expect([cpusFault("0-1", [0, 1]), cpusFault("", [0]), cpusFault("0-99")]).toEqual(
      Array(3).fill(undefined),
    );
    expect(cpusFault("x")).toMatch(/^Write 0, 0-3 or 1, 4/);
  });
});
