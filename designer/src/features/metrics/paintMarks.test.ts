import type uPlot from "uplot";
import { expect, it } from "vitest";
import { liveStore } from "../../kernel/live/liveStore.js";
import type { ThemeColors } from "../../kernel/ui/look/themeColors.js";
import { paintMarks } from "./paintMarks.js";

it("names a change within the chart, however long the words are and wherever it was", () => {
  const label = "models: 2 → 24 threads, by itself";
  liveStore.setState({ marks: [{ binary: "b", atMs: 70_000, label }] as never });
  const said: [string, number][] = [];
  const context = {
    measureText: (words: string) => ({ width: words.length * 6 }),
    fillText: (words: string, left: number) => said.push([words, left]),
    ...Object.fromEntries(
      ["save", "restore", "setLineDash", "beginPath", "moveTo", "lineTo", "stroke", "fillRect"].map(
        (name) => [name, () => {}],
      ),
    ),
  };
  const chart = (left: number, width: number) =>
    ({
      ctx: context,
      bbox: { left, top: 0, width, height: 100 },
      scales: { x: { min: 0, max: 100 } },
      valToPos: (at: number) => left + (at / 100) * width,
    }) as unknown as uPlot;
  paintMarks(chart(40, 260), { colors: {} as ThemeColors, binary: "b", nameMarks: true });
  paintMarks(chart(40, 900), { colors: {} as ThemeColors, binary: "b", nameMarks: true });
  expect(said).toEqual([
    [label, 40],
    [label, 675],
  ]);
});
