import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WaitingScreen } from "./screens.js";

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
