import type { SourceInfo } from "@penstock/codegen/contract";
import { sourceManifestSchema, STANDARD_SOURCES } from "@penstock/codegen/sources";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { documentStore, undo } from "../kernel/document/index.js";
import { setDrawnProblems } from "../kernel/problems/problemStore.js";
import { setPalette } from "../kernel/server/paletteStore.js";
import { TooltipProvider } from "../kernel/ui/index.js";
import { compose } from "../registry/feature.js";
import { adsTopology, open } from "../testing/ads.js";
import { Palette } from "../features/explorer/Palette.js";
import { FlowInspector } from "../features/inspector/kinds/FlowInspector.js";
import { FEATURES } from "./features.js";

/** As the server tells of a source in the project's folder `sources/`. */
const TICKER: SourceInfo = {
  ...sourceManifestSchema.parse({
    kind: "ticker",
    title: "Ticker",
    doc: "Counts from 1.",
    hint: "Events that count",
    settings: {
      type: "object",
      properties: {
        count: { type: "integer", title: "Count", unit: "events", minimum: 1, maximum: 100, initial: 3 },
        mode: {
          type: "string",
          title: "Mode",
          enum: ["slow", "quick"],
          labels: { quick: "At once" },
          default: "slow",
        },
        speech: { type: "string", title: "Speech" },
        loud: { type: "boolean", title: "Loud", default: true },
        perSecond: { type: "number", title: "Ticks per second", format: "rate" },
      },
      required: ["count"],
    },
  }),
  documentation: "",
  own: true,
};
const STANDARD = [...STANDARD_SOURCES.values()].map((one) => ({ ...one, documentation: "", own: false }));

const show = () => render(<FlowInspector name="Impressions" />, { wrapper: TooltipProvider });
const source = () => documentStore.getState().topology.flows[0]?.source;

beforeEach(() => {
  compose(FEATURES);
  setDrawnProblems([]);
  setPalette([], [], [...STANDARD, TICKER]);
  open();
});
afterEach(() => {
  cleanup();
  setPalette([]);
});

it("a source of the project stands in the palette and among the kinds, and begins with what it must have", () => {
  render(<Palette query="ticker" />, { wrapper: TooltipProvider });
  fireEvent.click(screen.getByRole("button", { name: "Ticker source" }));
  expect(documentStore.getState().topology.flows.at(-1)?.source).toEqual({ kind: "ticker", count: 3 });
  cleanup();
  show();
  const kinds = within(screen.getByLabelText("Kind")).getAllByRole("option");
  expect(kinds.map((option) => option.textContent)).toEqual(["Rate", "HTTP", "File", "Service", "Ticker"]);
  fireEvent.change(screen.getByLabelText("Kind"), { target: { value: "ticker" } });
  expect(source()).toEqual({ kind: "ticker", count: 3 });
});

it("its form comes of its manifest; what is as it would be anyway is not drawn", () => {
  const topology = adsTopology();
  topology.flows[0]!.source = { kind: "ticker", count: 3 };
  open(topology);
  show();
  const type = (label: string, value: string): void => {
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
    fireEvent.blur(screen.getByLabelText(label));
  };
  type("Count", "7");
  type("Speech", "tick");
  expect(source()).toEqual({ kind: "ticker", count: 7, speech: "tick" });
  const modes = within(screen.getByLabelText("Mode")).getAllByRole("option");
  expect(modes.map((option) => option.textContent)).toEqual(["slow", "At once"]);
  type("Mode", "quick");
  fireEvent.click(screen.getByLabelText("Loud"));
  expect(source()).toEqual({ kind: "ticker", count: 7, speech: "tick", mode: "quick", loud: false });
  type("Mode", "slow");
  fireEvent.click(screen.getByLabelText("Loud"));
  expect(source()).toEqual({ kind: "ticker", count: 7, speech: "tick" });
  undo();
  expect(source()).toEqual({ kind: "ticker", count: 7, speech: "tick", loud: false });
});

it("its rate is set where the rates of others are, and may be none", () => {
  const topology = adsTopology();
  topology.flows[0]!.source = { kind: "ticker", count: 3 };
  open(topology);
  show();
  const rate = within(screen.getByRole("region", { name: "Rate" }));
  const input = rate.getByLabelText<HTMLInputElement>("Ticks per second");
  expect(input.placeholder).toBe("as they come");
  fireEvent.change(input, { target: { value: "20" } });
  fireEvent.blur(input);
  fireEvent.submit(input.form!);
  expect(source()).toEqual({ kind: "ticker", count: 3, perSecond: 20 });
});

it("a kind that the project does not have is shown as missing", () => {
  const topology = adsTopology();
  topology.flows[0]!.source = { kind: "kafka" };
  open(topology);
  show();
  const kind = screen.getByLabelText<HTMLSelectElement>("Kind");
  expect(kind.selectedOptions[0]?.textContent).toBe("kafka (missing)");
});
