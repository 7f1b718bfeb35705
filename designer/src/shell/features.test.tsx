import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ContextMenuBody } from "../features/canvas/menus/ContextMenuBody.js";
import { ServiceInspector } from "../features/inspector/kinds/ServiceInspector.js";
import { select } from "../kernel/document/index.js";
import { TooltipProvider } from "../kernel/ui/index.js";
import { compose, contributed } from "../registry/feature.js";
import { open } from "../testing/ads.js";
import { FEATURES } from "./features.js";

beforeEach(() => {
  open();
  compose(FEATURES);
});
afterEach(() => {
  cleanup();
  compose([]);
});

it("has a feature for every view and a tab of the dock for every name, in their order", () => {
  expect(contributed("view").map(({ view }) => view)).toEqual(["flow", "threads", "messages", "code"]);
  const tabs = contributed("dock").flat();
  expect(tabs.map(({ tab }) => tab)).toEqual([
    "problems",
    "build",
    "logs",
    "metrics",
    "bench",
    "trace",
    "load",
  ]);
  const names = contributed("commands").flatMap((all) => all.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});

it("offers Try in the menu of a service, which shows its form among the properties", () => {
  const menu = render(<ContextMenuBody target="service:GetAd" at={{ x: 0, y: 0 }} />);
  const lines = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
  expect(lines.slice(0, 2)).toEqual(["Edit handlerEnter", "Try…"]);
  fireEvent.click(screen.getByText("Try…"));
  menu.unmount();
  select("service:GetAd");
  render(
    <TooltipProvider>
      <ServiceInspector name="GetAd" />
    </TooltipProvider>,
  );
  expect(screen.getByText("Try")).not.toBeNull();
});
