import type { BinaryStatus } from "@penstock/codegen/contract";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ContextMenuBody } from "../features/canvas/menus/ContextMenuBody.js";
import { ServiceInspector } from "../features/inspector/kinds/ServiceInspector.js";
import { profile } from "../features/profile/index.js";
import { select } from "../kernel/document/index.js";
import { closedProject, projectStore } from "../kernel/server/projectStore.js";
import { TooltipProvider } from "../kernel/ui/index.js";
import { registerCommand } from "../registry/commands.js";
import { compose, contributed } from "../registry/feature.js";
import { open } from "../testing/ads.js";
import { FEATURES } from "./features.js";

const running = (binary: string): BinaryStatus => ({
  binary,
  state: "running",
  detail: "",
  pid: 1,
  control: null,
  http: null,
  startedAtMs: 0,
  restarts: 0,
  topologyHash: null,
});

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

it("offers Profile in the menus of a service and of a binary's frame, while it runs", () => {
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true;
  };
  const [Asking = () => null] = profile.mounted ?? [];
  const forget = contributed("commands").flat().map(registerCommand);
  const showMenu = (target: string) => {
    select(target);
    return render(
      <TooltipProvider>
        <ContextMenuBody target={target} at={{ x: 0, y: 0 }} />
        <Asking />
      </TooltipProvider>,
    );
  };
  const line = () => screen.getByRole("menuitem", { name: "Profile…" });
  for (const target of ["service:GetAd", "binary:ads-server"]) {
    projectStore.setState({ binaries: [] });
    showMenu(target);
    expect(line().getAttribute("aria-disabled"), target).toBe("true");
    cleanup();
    projectStore.setState({ binaries: [running("ads-server")] });
    showMenu(target);
    fireEvent.click(line());
    fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Cancel" }));
    cleanup();
  }
  for (const one of forget) one();
  projectStore.setState(closedProject);
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
