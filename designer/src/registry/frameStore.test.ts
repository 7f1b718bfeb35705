import { expect, it } from "vitest";
import { frameStore, keepWidths } from "./frameStore.js";

it("keeps what somebody dragged in pixels, within the limits, whatever the window", () => {
  keepWidths({ left: 25, middle: 50, inspector: 25 }, 1280);
  expect(frameStore.getState().widths).toEqual({ left: 320, inspector: 320 });
  expect(localStorage.getItem("penstock.frame")).toContain('"widths":{"left":320,"inspector":320}');
  // The properties are not shown beside the code: their width stays.
  keepWidths({ left: 10, middle: 90 }, 2560);
  expect(frameStore.getState().widths).toEqual({ left: 256, inspector: 320 });
  keepWidths({ left: 60, middle: 30, inspector: 10 }, 1280);
  expect(frameStore.getState().widths).toEqual({ left: 520, inspector: 240 });
});
