import { topologySchema } from "@penstock/codegen/topology";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { resetLive, takeLost, takeSample, takeSchema } from "../../kernel/live/liveStore.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { open } from "../../testing/ads.js";
import { sampleOf } from "../../testing/sampleOf.js";
import { schemaOf } from "../../testing/schemaOf.js";
import { PresetsSection } from "./PresetsSection.js";

afterEach(cleanup);

const SHOP = topologySchema.parse({
  penstock: 1,
  name: "shop",
  binaries: [
    {
      name: "b",
      pools: [{ name: "models", threads: 3 }],
      presets: [
        {
          name: "night",
          pools: [
            { name: "front", threads: 1 },
            { name: "models", threads: 40 },
          ],
        },
      ],
    },
  ],
});

it("lists what a preset makes of the pools, so that no count reads as the number of a thread", () => {
  resetLive();
  open(SHOP);
  render(<PresetsSection binary="b" />, { wrapper: TooltipProvider });
  const night = screen.getByRole("listitem", { name: "Preset night" });
  expect(within(night).getByText("front ×1 · models ×40").title).toBe("front ×1 · models ×40");
});

it("offers no preset to a binary that is lost, and says why", () => {
  resetLive();
  open(SHOP);
  takeSchema(schemaOf({ binary: "b" }));
  takeSample("b", sampleOf(100));
  render(<PresetsSection binary="b" />, { wrapper: TooltipProvider });
  const apply = screen.getByRole<HTMLButtonElement>("button", { name: "Apply night live" });
  expect(apply.disabled).toBe(false);
  cleanup();
  takeLost("b");
  render(<PresetsSection binary="b" />, { wrapper: TooltipProvider });
  const lost = screen.getByRole<HTMLButtonElement>("button", { name: "Apply night live" });
  const why = "The connection to b is lost: it takes no change until it is back.";
  expect([lost.disabled, lost.title]).toEqual([true, why]);
  expect(screen.getByText(why)).toBeDefined();
});
