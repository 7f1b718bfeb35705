import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { closedProject, projectStore } from "../kernel/server/projectStore.js";
import { open } from "../testing/ads.js";
import { TooltipProvider } from "../kernel/ui/index.js";
import { TopBar } from "./TopBar.js";

const cancelled: string[] = [];
vi.mock("../kernel/server/api.js", async (original) => ({
  ...(await original<object>()),
  ask: async (route: string, { project }: { project: string }) => {
    if (route === "cancelBuild") cancelled.push(project);
  },
}));

const building = (phase: "generating" | "compiling" | "succeeded", done: number, total: number): void =>
  projectStore.setState({
    ...closedProject,
    project: "p1",
    build: { ...closedProject.build, phase, done, total },
  });
const topBar = (
  <TooltipProvider>
    <TopBar />
  </TooltipProvider>
);
const bar = () => screen.queryByRole("progressbar", { name: "Build" });

beforeEach(() => {
  cancelled.length = 0;
  open();
});
afterEach(() => {
  cleanup();
  projectStore.setState(closedProject);
});

it("shows how far a build is, by the steps that ninja counts", () => {
  building("generating", 0, 0);
  const { rerender } = render(topBar);
  expect(bar()?.dataset["known"]).toBe("false");
  building("compiling", 3, 12);
  rerender(topBar);
  expect(["aria-valuenow", "aria-valuemax"].map((name) => bar()?.getAttribute(name))).toEqual(["3", "12"]);
  building("succeeded", 12, 12);
  rerender(topBar);
  expect(bar()).toBeNull();
});

it("cancels a build that goes on, in the place of Build", () => {
  building("compiling", 3, 12);
  render(topBar);
  expect(screen.queryByRole("button", { name: "Build" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(cancelled).toEqual(["p1"]);
});
