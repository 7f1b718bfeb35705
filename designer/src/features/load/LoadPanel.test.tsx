import type { LoadRequest } from "@penstock/codegen/contract";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { connectionStore } from "../../kernel/connection/connection.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { open } from "../../testing/ads.js";
import { LoadPanel } from "./LoadPanel.js";
import { loadStore } from "./loadStore.js";

const started: LoadRequest["settings"][] = [];
vi.mock("../../kernel/server/api.js", async (original) => ({
  ...(await original<object>()),
  ask: async (_: string, __: object, { body }: { body: LoadRequest }) => void started.push(body.settings),
}));

// What draws curves asks for a screen as it is read.
vi.mock("./LoadChart.js", () => ({ LoadChart: () => null }));

const [before, fresh] = [connectionStore.getState(), loadStore.getState()];
beforeEach(() => {
  started.length = 0;
  open();
  connectionStore.setState({ socket: { kind: "open" } });
  projectStore.setState({ ...closedProject, project: "p1" });
  loadStore.setState({ chosen: "url" });
  render(<LoadPanel />, { wrapper: TooltipProvider });
});
afterEach(() => {
  cleanup();
  connectionStore.setState(before);
  projectStore.setState(closedProject);
  loadStore.setState(fresh);
});

const start = () => screen.getByRole<HTMLButtonElement>("button", { name: "Start the load" });
const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });

it.each([
  ["Start", "0", /^Start: Must be 0\.1 to /],
  ["Every", "2.5", /^Every: Type a whole number$/],
  ["Step", "", /^Step: Type a number$/],
  ["Tolerance", "80", /^Tolerance: Must be /],
])("starts nothing else than what is seen: %s of '%s'", (name, text, why) => {
  type(name, text);
  fireEvent.blur(field(name));
  expect(field(name).value).toBe(text);
  expect([start().disabled, start().title]).toEqual([true, expect.stringMatching(why)]);
  fireEvent.click(start());
  expect(started).toEqual([]);
  type(name, "7");
  fireEvent.blur(field(name));
  expect([start().disabled, start().title]).toEqual([false, ""]);
  fireEvent.click(start());
  expect(started).toEqual([loadStore.getState().settings]);
});

it("starts again with the old value once that is back in its field, and without one that may be none", () => {
  type("Start", "much");
  type("Up to", "-1");
  expect(start().title).toBe("Start: Type a number");
  fireEvent.keyDown(field("Start"), { key: "Escape" });
  expect(start().title).toMatch(/^Up to: Must be /);
  type("Up to", "");
  fireEvent.blur(field("Up to"));
  fireEvent.click(start());
  expect(started).toEqual([{ ...fresh.settings, most: null }]);
});
