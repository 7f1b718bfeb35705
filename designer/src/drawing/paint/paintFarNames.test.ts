import type { InternalNode } from "@xyflow/react";
import { expect, it } from "vitest";
import type { ThemeColors } from "../../kernel/ui/look/themeColors.js";
import type { Brush } from "./brush.js";
import { besideName, bundleNameWidth, paintFarBundleName, paintFarNode } from "./paintFar.js";

/** A context that keeps its fonts, where it is moved and scaled to, and the words with what they are then. */
function recording() {
  const fonts = new Set<string>();
  const words: { text: string; x: number; y: number; pixels: number }[] = [];
  let [x, y, scale, size, measured] = [0, 0, 1, 0, 0];
  const context = {
    set font(font: string) {
      fonts.add(font);
      size = Number(/([\d.]+)px/.exec(font)?.[1]);
    },
    translate: (right: number, down: number) => ([x, y] = [x + right * scale, y + down * scale]),
    scale: (by: number) => (scale *= by),
    fillText: (text: string, right: number, down: number) =>
      words.push({ text, x: x + right * scale, y: y + down * scale, pixels: size * scale }),
    measureText: (text: string) => ({ width: text.length * 7, called: (measured += 1) }),
    fillRect: () => undefined,
    strokeRect: () => undefined,
  } as unknown as CanvasRenderingContext2D;
  return { context, fonts, words, measured: () => measured };
}

const colors = new Proxy({}, { get: () => "grey" }) as ThemeColors;
const node = (data: object) => ({ data, selected: false }) as unknown as InternalNode;
const service = node({ name: "ProduceAd", icon: "simple", standard: undefined, mark: undefined });
const box = { x: 100, y: 50, width: 200, height: 100 };

it("writes far names in one font at every zoom, at the same size on the screen", () => {
  const { context, fonts, words, measured } = recording();
  const zooms = [0.2, 0.21, 0.233, 0.25, 0.3];
  for (const zoom of zooms) {
    const brush = { context, colors, zoom, legible: false, column: 6 } as Brush;
    paintFarNode(brush, box, service, null);
    const width = bundleNameWidth(context, "Measured once");
    paintFarBundleName(brush, "Measured once", { x: 20, y: 10, width, height: 18 });
  }
  // One for nodes, one for bundles: each other one would be looked up, and its letters drawn, anew.
  expect(fonts.size).toBe(2);
  expect(measured()).toBe(1);
  for (const [at, zoom] of zooms.entries()) {
    const [name, label] = words.slice(2 * at, 2 * at + 2);
    expect(name?.pixels).toBeCloseTo(11 / zoom);
    expect(name?.x).toBeCloseTo(100 + 6 / zoom);
    expect(name?.y).toBeCloseTo(100);
    expect(label?.pixels).toBeCloseTo(12 / zoom);
  }
});

it("writes no name into a node that has it beside it, and looks for such a place where little of it fits", () => {
  const { context, words } = recording();
  const brush = { context, colors, zoom: 0.2, legible: false, column: 6 } as Brush;
  paintFarNode(brush, box, service, null, true);
  expect(words).toEqual([]);
  // Four letters of nine fit at 0.2, all of them at 0.4.
  expect(besideName(0.2, box, service, null)).toEqual({ name: "ProduceAd", room: 4, first: false });
  expect(besideName(0.4, box, service, null)).toBeNull();
});
