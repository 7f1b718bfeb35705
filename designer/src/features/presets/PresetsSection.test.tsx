import { topologySchema } from "@penstock/codegen/topology";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { resetLive } from "../../kernel/live/liveStore.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { open } from "../../testing/ads.js";
import { PresetsSection } from "./PresetsSection.js";

afterEach(cleanup);

it("lists what a preset makes of the pools, so that no count reads as the number of a thread", () => {
  resetLive();
  open(
    topologySchema.parse({
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
    }),
  );
  render(<PresetsSection binary="b" />, { wrapper: TooltipProvider });
  const night = screen.getByRole("listitem", { name: "Preset night" });
  expect(within(night).getByText("front ×1 · models ×40").title).toBe("front ×1 · models ×40");
});
