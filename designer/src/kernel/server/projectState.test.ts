import type { BinaryState, BinaryStatus } from "@penstock/codegen/contract";
import { describe, expect, it } from "vitest";
import { processesOf } from "./projectState.js";

const status = (state: BinaryState): Omit<BinaryStatus, "binary" | "topologyHash"> => ({
  state,
  detail: "",
  pid: null,
  control: null,
  http: null,
  startedAtMs: null,
  restarts: 0,
});
/** How many there are meant to be of a binary with processes in these states; `attached` come after those. */
const meant = (started: BinaryState[], attached: BinaryState[] = []): number => {
  const processes = [
    ...started.map((state) => ({ name: "app", ...status(state) })),
    ...attached.map((state) => ({ name: "other", ...status(state), attached: true as const })),
  ];
  const binary = { binary: "app", topologyHash: null, ...status("running"), processes };
  return processesOf({ binaries: [binary] }, "app");
};

describe("how many processes of a binary are meant to run", () => {
  it("is how many were started, one that crashed among them", () => {
    expect(meant(["running", "running", "running"])).toBe(3);
    expect(meant(["running", "crashed", "restarting"])).toBe(3);
  });

  it("leaves out what was stopped or has failed for good, as rates are shared by the others", () => {
    expect(meant(["running", "stopped", "running"])).toBe(2);
    expect(meant(["failed", "stopped", "running"])).toBe(1);
  });

  it("has what is attached as long as it answers", () => {
    expect(meant(["stopped", "stopped"], ["running", "lost"])).toBe(1);
    expect(meant(["running", "failed"], ["running", "lost"])).toBe(2);
  });

  it("is never none", () => {
    expect(meant(["stopped", "failed"])).toBe(1);
    expect(processesOf({ binaries: [] }, "app")).toBe(1);
  });
});
