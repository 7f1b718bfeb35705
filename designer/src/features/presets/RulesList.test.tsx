import type { PresetRuling } from "@penstock/codegen/contract";
import type { PresetRule } from "@penstock/codegen/topology";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { documentStore } from "../../kernel/document/index.js";
import { resetLive, takeSchema } from "../../kernel/live/liveStore.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { adsTopology, open } from "../../testing/ads.js";
import { RulesList } from "./RulesList.js";
import { schemaOf } from "../../testing/schemaOf.js";

const sent: unknown[] = [];
vi.mock("../../kernel/connection/commands.js", () => ({
  sendCommand: async (binary: string, method: string, params: unknown) => {
    sent.push([binary, method, params]);
  },
}));

const RULE: PresetRule = {
  of: "Impressions",
  below: { perSecond: 100, preset: "calm" },
  above: { perSecond: 1000, preset: "busy" },
  forSeconds: 5,
};
const show = (presets: readonly string[], rules?: PresetRule[]) => {
  const topology = adsTopology();
  if (rules) topology.binaries[0]!.rules = rules;
  topology.binaries[0]!.presets = presets.map((name) => ({ name, pools: [], joins: [] }));
  open(topology);
  render(
    <TooltipProvider>
      <RulesList binary="ads-server" />
    </TooltipProvider>,
  );
};
const rules = () => documentStore.getState().topology.binaries[0]?.rules;
const add = () => fireEvent.click(screen.getByRole("button", { name: "Change between presets by itself" }));
const type = (label: RegExp, text: string): void => {
  const input = screen.getByLabelText(label);
  fireEvent.change(input, { target: { value: text } });
  fireEvent.blur(input);
};
const ruling = (more: Partial<PresetRuling>): void =>
  takeSchema(
    schemaOf({
      rules: [{ of: "Impressions", on: true, by: "rule", preset: "busy", switches: 2, ...more }],
    }),
  );

beforeEach(() => {
  sent.length = 0;
  resetLive();
});
afterEach(cleanup);

it("is offered where there are two presets to change between", () => {
  show(["calm"]);
  expect(screen.queryByRole("button")).toBeNull();
});

it("is drawn between the first two, changed and taken away again", () => {
  show(["calm", "busy", "night"]);
  add();
  expect(rules()).toEqual([RULE]);
  type(/^Below so many/, "0.5");
  type(/^Above so many/, "2000");
  type(/^Seconds that a rate/, "9");
  fireEvent.change(screen.getByLabelText(/^Preset above that/), { target: { value: "night" } });
  fireEvent.change(screen.getByLabelText(/^What the rule of Impressions/), { target: { value: "GetAd" } });
  expect(rules()).toEqual([
    {
      of: "GetAd",
      below: { perSecond: 0.5, preset: "calm" },
      above: { perSecond: 2000, preset: "night" },
      forSeconds: 9,
    },
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Remove the rule of GetAd" }));
  expect(rules()).toBeUndefined();
});

it("says what it brought into force", () => {
  ruling({});
  show(["calm", "busy"], [RULE]);
  expect(screen.getByRole("group", { name: "Rule of Impressions" }).textContent).toContain("Nowbusy");
  expect(screen.getByText("by the rule · 2 times")).toBeDefined();
  expect(screen.queryByText(/At rest/)).toBeNull();
});

it("says why it rests, and is woken again", async () => {
  ruling({ on: false, by: "person", preset: null });
  show(["calm", "busy"], [RULE]);
  expect(screen.getByText(/At rest: what its presets are about/)).toBeDefined();
  expect(screen.getByText("no preset yet")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Let it change presets again" }));
  await waitFor(() => expect(sent).toEqual([["ads-server", "rule.set", { rule: "Impressions", on: true }]]));
});

it("says what the binary had against a preset", () => {
  ruling({ on: false, preset: null, refused: "no CPU 9" });
  show(["calm", "busy"], [RULE]);
  expect(screen.getByText("At rest: the binary refused it, no CPU 9.")).toBeDefined();
});
