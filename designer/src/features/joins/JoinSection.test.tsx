import type { BinaryStatus } from "@penstock/codegen/contract";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { openTwoBinaries } from "../../testing/twoBinaries.js";
import { JoinSection } from "./JoinSection.js";

beforeEach(() => {
  openTwoBinaries();
  const runs = (binary: string) => ({ binary, state: "running" }) as BinaryStatus;
  projectStore.setState({
    ...closedProject,
    project: "p1",
    binaries: [runs("ads-server"), runs("models-server")],
  });
});
afterEach(() => {
  cleanup();
  projectStore.setState(closedProject);
});

it.each([
  ["is marked as live where the flow's own binary runs the stage", "pick", "GetAd", 1],
  ["is not where another binary does, whose joins a build alone changes", "log", "LogAd", 0],
])("%s", (_, stage, service, marks) => {
  render(<JoinSection flow="Impressions" stage={stage} />, { wrapper: TooltipProvider });
  const section = screen.getByRole("region", { name: `Join before ${service}` });
  expect(within(section).queryAllByText("live")).toHaveLength(marks);
});
