import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DamagedScreen, SignedOutScreen, WaitingScreen } from "./screens.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});
const wait = (ms: number): void => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

it("says after five seconds that the server does not answer, and offers what can be done", () => {
  const retry = vi.fn<() => void>();
  const leave = vi.fn<() => void>();
  render(<WaitingScreen words="Opening" retry={retry} leave={leave} />);
  wait(4999);
  expect(screen.queryByRole("alert")).toBeNull();
  wait(1);
  expect(screen.getByRole("alert").textContent).toContain("has not answered for 5 seconds");
  fireEvent.click(screen.getByRole("button", { name: "All projects" }));
  expect(leave).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(retry).toHaveBeenCalledOnce();
  // It waits anew.
  expect(screen.queryByRole("alert")).toBeNull();
  wait(5000);
  expect(screen.getByRole("alert")).not.toBeNull();
});

it("says where in a damaged file what is wrong and what helps, and lets it be tried again", () => {
  const problem = { code: "PS101", severity: "error", message: "A comma too many", pointer: "" } as const;
  const damaged = {
    project: "p",
    path: "/flows/ads/topology.json",
    message: "topology.json is damaged",
    revision: "r",
    revisions: [],
  };
  const problems = [{ ...problem, help: "Take out the `,`.", line: 5, column: 17 }];
  const { container, rerender } = render(<DamagedScreen {...damaged} problems={problems} />);
  expect(screen.getByText("topology.json:5:17 · PS101")).not.toBeNull();
  expect(screen.getByText("/flows/ads/topology.json")).not.toBeNull();
  expect(container.querySelector("code")?.textContent).toBe(",");
  expect(screen.getAllByText(/comma/)).toHaveLength(1);
  expect(screen.getByRole("button", { name: "Try again" })).not.toBeNull();
  rerender(<DamagedScreen {...damaged} problems={[]} />);
  expect(screen.getByText("topology.json is damaged")).not.toBeNull();
  rerender(<DamagedScreen {...damaged} problems={Array.from({ length: 7 }, () => problems[0]!)} />);
  expect(screen.getByText(/^And 2 more\./)).not.toBeNull();
});

it("asks for another address only where this one is used up, and shows commands as commands", () => {
  const { container, rerender } = render(<SignedOutScreen message="Used. Run `penstock open`" />);
  expect(container.querySelector(".screen-reason code")?.textContent).toBe("penstock open");
  expect(screen.queryByRole("button")).toBeNull();
  rerender(<SignedOutScreen message="It broke" again />);
  expect(screen.getByRole("heading", { name: "The server could not sign you in" })).not.toBeNull();
  expect(screen.getByRole("button", { name: "Try again" })).not.toBeNull();
  expect(container.textContent).not.toContain("penstock open");
});
