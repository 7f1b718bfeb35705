import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { useStore } from "zustand";
import { TooltipProvider } from "../kernel/ui/index.js";
import { frameStore, openDock, toggleDock } from "../registry/frameStore.js";
import { open } from "../testing/ads.js";
import { Dock } from "./Dock.js";
import { DockBar } from "./DockBar.js";

function Lower() {
  const dock = useStore(frameStore, (state) => state.dock);
  const held = useRef(false);
  return (
    <TooltipProvider>
      <button type="button">elsewhere</button>
      <div>{dock ? <Dock held={held} /> : null}</div>
      {dock ? null : <DockBar held={held} />}
    </TooltipProvider>
  );
}
const button = (name: string) => screen.getByRole("button", { name });

beforeEach(() => {
  open();
  openDock();
  render(<Lower />);
});
afterEach(cleanup);

it("gives the focus of a folded dock to what unfolds it, and back", () => {
  button("Hide the dock").focus();
  fireEvent.click(button("Hide the dock"));
  expect(document.activeElement).toBe(button("Show the dock"));
  fireEvent.click(button("Show the dock"));
  expect(document.activeElement).toBe(button("Hide the dock"));
});

it("leaves the focus where it is outside of the dock", () => {
  button("elsewhere").focus();
  act(toggleDock);
  expect(document.activeElement).toBe(button("elsewhere"));
  act(toggleDock);
  expect(document.activeElement).toBe(button("elsewhere"));
});
