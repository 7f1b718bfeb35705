import { cleanup, render, screen, within } from "@testing-library/react";
import type { Topology } from "@penstock/codegen/topology";
import { validateTopology } from "@penstock/codegen/validate";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FlowInspector } from "../features/inspector/kinds/FlowInspector.js";
import { loadChecks } from "../kernel/problems/checks.js";
import { problemStore, setBuildProblems, setDrawnProblems } from "../kernel/problems/problemStore.js";
import { stillHolds } from "../kernel/problems/stillHolds.js";
import { TooltipProvider } from "../kernel/ui/index.js";
import { compose, contributed } from "../registry/feature.js";
import { adsTopology, open } from "../testing/ads.js";
import { FEATURES } from "./features.js";
import { StatusBar } from "./StatusBar.js";

const NO_STAGE = 'The flow "Impressions" has no stage yet';

/** The ads example with a source that was just drawn. */
function justDrawn(spoil: (topology: Topology) => void = () => {}): Topology {
  const topology = adsTopology();
  topology.services.pop();
  topology.bundles[0]!.services.pop();
  topology.flows[0]!.stages = [];
  spoil(topology);
  return topology;
}

/** As the page checks a drawing after each change. */
function check(topology: Topology) {
  open(topology);
  const broken = validateTopology(topology);
  setDrawnProblems(broken, (problem) => stillHolds(problem, topology, broken));
  return broken;
}

function show() {
  const problems = contributed("dock")
    .flat()
    .find(({ tab }) => tab === "problems")!;
  render(
    <TooltipProvider>
      <FlowInspector name="Impressions" />
      <problems.Panel />
      <StatusBar />
    </TooltipProvider>,
  );
  const rows = (list: string) =>
    within(screen.getByRole("list", { name: list }))
      .getAllByText(NO_STAGE)
      .map((words) =>
        within(words.closest("li")!)
          .getByLabelText(/^(Error|To do)$/)
          .getAttribute("aria-label"),
      );
  return {
    inspector: rows("Problems here"),
    panel: rows("Problems"),
    counted: problems.counts?.(problemStore.getState().all).count,
    status: screen.getByRole("contentinfo").textContent,
  };
}

beforeEach(async () => {
  compose(FEATURES);
  await loadChecks();
});
afterEach(() => {
  cleanup();
  setBuildProblems([]);
  setDrawnProblems([], () => true);
  compose([]);
});

it("a source that was just drawn is something to do, with its remedy, and no error anywhere", () => {
  check(justDrawn());
  const shown = show();
  expect(shown).toMatchObject({ inspector: ["To do"], panel: ["To do"], counted: 0 });
  expect(shown.status).toMatch(/^0 errors0 warnings1 to do/);
  expect(screen.getAllByRole("button", { name: "Lead it into GetAd" })).toHaveLength(2);
  expect(problemStore.getState().marks.size).toBe(0);
});

it("is an error once somebody asked to generate, until it has a stage, and another source is not", () => {
  const broken = check(justDrawn());
  setBuildProblems(broken);
  const shown = show();
  expect(shown).toMatchObject({ inspector: ["Error"], panel: ["Error"], counted: 1 });
  expect(shown.status).toMatch(/^1 error0 warnings(?!.*to do)/);
  expect([...problemStore.getState().marks]).toEqual([["flow:Impressions", "error"]]);

  // One more before it: what was told stands at another place now, and is told once.
  const another = { ...justDrawn().flows[0]!, name: "Clicks" };
  check(justDrawn(({ flows, bundles }) => (flows.unshift(another), bundles[0]!.flows.push("Clicks"))));
  expect(problemStore.getState().all.map(({ node }) => node)).toEqual(["flow:Impressions"]);
  expect(problemStore.getState().toDo.map(({ node }) => node)).toEqual(["flow:Clicks"]);

  check(adsTopology());
  check(justDrawn());
  expect(problemStore.getState().toDo).toHaveLength(0);
});

it("is wrong for all else that is wrong with it", () => {
  check(justDrawn(({ flows }) => (flows[0]!.event = "Nothing")));
  expect(problemStore.getState().all.map(({ node }) => node)).toContain("flow:Impressions");
  expect(problemStore.getState().marks.get("flow:Impressions")).toBe("error");
});
