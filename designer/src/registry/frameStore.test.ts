import { expect, it } from "vitest";
import { frameStore, keepSizes } from "./frameStore.js";

it("keeps what somebody dragged in pixels, within the limits, whatever the window", () => {
  keepSizes({ left: 25, middle: 50, inspector: 25 }, 1280);
  expect(frameStore.getState().sizes).toEqual({ left: 320, inspector: 320, dock: 214 });
  expect(localStorage.getItem("penstock.frame")).toContain('"sizes":{"left":320,"inspector":320,"dock":214}');
  // The properties are not shown beside the code: their width stays.
  keepSizes({ left: 10, middle: 90 }, 2560);
  expect(frameStore.getState().sizes).toEqual({ left: 256, inspector: 320, dock: 214 });
  keepSizes({ left: 60, middle: 30, inspector: 10 }, 1280);
  expect(frameStore.getState().sizes).toEqual({ left: 520, inspector: 240, dock: 214 });
  // The dock stands below what it is a share of.
  keepSizes({ centre: 60, dock: 40 }, 900);
  expect(frameStore.getState().sizes).toEqual({ left: 520, inspector: 240, dock: 360 });
});
