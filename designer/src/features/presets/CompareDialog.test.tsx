import { topologySchema } from "@penstock/codegen/topology";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";
import { resetLive } from "../../kernel/live/liveStore.js";
import { open } from "../../testing/ads.js";
import { CompareDialog } from "./CompareDialog.js";

const threads = (count: number) => Array.from({ length: count }, () => ({}));
const show = (name: string) => {
  resetLive();
  open(
    topologySchema.parse({
      penstock: 1,
      name: "shop",
      binaries: [
        {
          name: "b",
          pools: [
            { name: "front", threads: [{ cpus: [0] }] },
            { name: "work", threads: threads(2) },
          ],
          presets: [
            {
              name: "night",
              pools: [
                { name: "front", threads: threads(1) },
                { name: "work", threads: threads(8) },
              ],
            },
            { name: "day", pools: [{ name: "work", threads: threads(2) }] },
          ],
        },
      ],
    }),
  );
  render(<CompareDialog binary="b" name={name} onClose={() => undefined} />);
};
// jsdom knows the element and not what opens it.
beforeAll(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
});
afterEach(cleanup);

it("lists what a preset has differently from the drawing", () => {
  show("night");
  const items = [...screen.getByRole("list", { name: "Differences" }).children];
  expect(items.map((item) => item.textContent)).toEqual([
    "front: 0 on CPU 0 → no pins",
    "work: 2 → 8 threads",
  ]);
});

it("says so when both lay the threads out alike", () => {
  show("day");
  expect(screen.queryByRole("list", { name: "Differences" })).toBeNull();
  expect(screen.queryByText("They lay the threads out alike.")).not.toBeNull();
});
