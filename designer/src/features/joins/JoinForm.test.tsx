import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { documentStore, showDocument } from "../../kernel/document/index.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { openTwoBinaries } from "../../testing/twoBinaries.js";
import { JoinForm } from "./JoinForm.js";

let whileAsked = (): void => undefined;
vi.mock("../../kernel/run/changeJoin.js", () => ({
  changeJoin: async () => {
    whileAsked();
    return { reason: "there is no room", help: "" };
  },
}));

/** A project with the same names. */
const openAnother = (): void => {
  const { topology, layout } = documentStore.getState();
  showDocument({ projectId: "p2", topology, layout, revision: "r1", readOnly: false, readOnlyReason: "" });
};
const refuse = async (): Promise<void> => {
  render(<JoinForm flow="Impressions" stage="log" />, { wrapper: TooltipProvider });
  fireEvent.click(screen.getByLabelText(/^Threads of its own/));
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: /^Apply/ })));
};
const alerts = (): number => screen.queryAllByRole("alert").length;

beforeEach(() => {
  whileAsked = () => undefined;
  openTwoBinaries();
});
afterEach(cleanup);

it("says what was refused, until another project is opened", async () => {
  await refuse();
  expect(screen.getByRole("alert").textContent).toContain("there is no room");
  act(openAnother);
  expect(alerts()).toBe(0);
});

it("says nothing of what is refused in a project that was left meanwhile", async () => {
  whileAsked = openAnother;
  await refuse();
  expect([documentStore.getState().projectId, alerts()]).toEqual(["p2", 0]);
});
