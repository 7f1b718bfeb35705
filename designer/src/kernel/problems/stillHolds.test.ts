import type { Problem } from "@penstock/codegen/diagnostics";
import type { Binary } from "@penstock/codegen/topology";
import { validateTopology } from "@penstock/codegen/validate";
import { afterEach, describe, expect, it } from "vitest";
import { adsTopology } from "../../testing/ads.js";
import { problemStore, setBuildProblems, setCodeProblems, setDrawnProblems } from "./problemStore.js";
import { stillHolds } from "./stillHolds.js";

const said = (part: Partial<Problem>): Problem => ({
  code: "PS850",
  severity: "error",
  message: "no member",
  pointer: "",
  help: "",
  ...part,
});
const compiled = said({ node: "service:LogAd", file: "src/services/log_ad.cpp", line: 7 });
const unknown = { ...adsTopology(), bundles: [{ name: "AdBundle", services: ["Gone"], flows: [] }] };

describe("what a build said", () => {
  afterEach(() => {
    setBuildProblems([]);
    setCodeProblems([]);
    setDrawnProblems([], () => true);
  });

  it("holds as long as what it names is drawn", () => {
    const topology = adsTopology();
    expect(stillHolds(compiled, topology, [])).toBe(true);
    for (const node of ["stage:Impressions/pick", "pool:ads-server/front", "pool:ads-server/default"])
      expect(stillHolds(said({ node }), topology, [])).toBe(true);
    const without = { ...topology, services: topology.services.filter(({ name }) => name !== "LogAd") };
    expect(stillHolds(compiled, without, [])).toBe(false);
    expect(stillHolds(said({ node: "stage:Impressions/gone" }), topology, [])).toBe(false);
    expect(stillHolds(said({ code: "PS860" }), topology, [])).toBe(false);
  });

  it("about a rule holds as long as the rule says it", () => {
    const rule = validateTopology(unknown).find(({ code }) => code === "PS611")!;
    expect(stillHolds(rule, unknown, validateTopology(unknown))).toBe(true);
    expect(stillHolds(rule, adsTopology(), validateTopology(adsTopology()))).toBe(false);
  });

  it("about a token or keys holds as long as the binary is drawn with them", () => {
    const topology = adsTopology();
    const drawn = (http: Binary["http"]) => ({
      ...topology,
      binaries: topology.binaries.map((one) => (http === undefined ? one : { ...one, http })),
    });
    const holds = (code: string, http: Binary["http"]) =>
      stillHolds(said({ code, node: "binary:ads-server" }), drawn(http), []);
    const address = "127.0.0.1:0";
    expect([holds("PS874", { address, auth: "bearer" }), holds("PS897", { address, tls: "keys" })]).toEqual([
      true,
      true,
    ]);
    expect(holds("PS872", { address, tls: "keys" })).toBe(true);
    expect(holds("PS872", { address, tls: { cert: "a.crt", key: "a.key" } })).toBe(false);
    expect([holds("PS874", { address, tls: "keys" }), holds("PS897", { address, auth: "bearer" })]).toEqual([
      false,
      false,
    ]);
  });

  it("goes from the list and the nodes when it no longer holds, and comes back with an undo", () => {
    setBuildProblems([compiled]);
    setDrawnProblems([], () => false);
    expect([problemStore.getState().all, problemStore.getState().marks.size]).toEqual([[], 0]);
    setDrawnProblems([], () => true);
    expect(problemStore.getState().all).toEqual([compiled]);
  });

  it("stands for what was read in the code of the same line", () => {
    const read = said({ code: "PS710", severity: "warning", file: compiled.file!, line: 7 });
    setCodeProblems([read, { ...read, line: 9 }]);
    setBuildProblems([compiled]);
    expect(problemStore.getState().all.map(({ code, line }) => [code, line])).toEqual([
      ["PS850", 7],
      ["PS710", 9],
    ]);
  });
});
