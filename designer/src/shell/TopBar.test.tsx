import type { BinaryStatus } from "@penstock/codegen/contract";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { connectionStore } from "../kernel/connection/connection.js";
import { closedProject, projectStore } from "../kernel/server/projectStore.js";
import { documentStore } from "../kernel/document/index.js";
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

const connection = connectionStore.getState();
beforeEach(() => {
  cancelled.length = 0;
  open();
});
afterEach(() => {
  cleanup();
  projectStore.setState(closedProject);
  connectionStore.setState(connection);
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

it("says at each button that is off why it is, and all of what the pill says", () => {
  connectionStore.setState({ socket: { kind: "open" } });
  projectStore.setState({ ...closedProject, project: "p1", trusted: false });
  render(topBar);
  for (const name of ["Build", "Run"]) {
    const { disabled, title } = screen.getByRole<HTMLButtonElement>("button", { name });
    expect([disabled, title]).toEqual([true, "Somebody else made this project: trust it first"]);
  }
  expect(document.querySelector<HTMLElement>(".state-pill")?.title).toBe("not running");
  cleanup();
  const crashed = { binary: "ads-server", state: "crashed", detail: "crashed (SIGSEGV)" } as BinaryStatus;
  projectStore.setState({ ...closedProject, project: "p1", binaries: [crashed] });
  render(topBar);
  expect(screen.getByRole("button", { name: "Run" }).title).toBe("Build and start");
  expect(document.querySelector<HTMLElement>(".state-pill")?.title).toMatch(
    /^ads-server crashed \(SIGSEGV\)\n/,
  );
});

it("names the folder of a project whose drawing is called otherwise", () => {
  const shown = () => document.querySelector(".project-name")?.textContent;
  documentStore.setState({ folder: "ads" });
  const { rerender } = render(topBar);
  expect(shown()).toBe("ads");
  documentStore.setState({ folder: "ads2" });
  rerender(topBar);
  expect(shown()).toBe("ads in ads2");
});

it("cancels a build that goes on, in the place of Build", () => {
  building("compiling", 3, 12);
  render(topBar);
  expect(screen.queryByRole("button", { name: "Build" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(cancelled).toEqual(["p1"]);
});
