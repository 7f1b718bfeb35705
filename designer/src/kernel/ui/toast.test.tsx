import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { dismissToasts, READ_MS, toast } from "./toast.js";
import { PutAwayToasts, Toasts } from "./Toasts.js";

afterEach(() => {
  cleanup();
  dismissToasts();
  vi.useRealTimers();
});

const said = () => [...document.querySelectorAll(".toast-title")].map((one) => one.textContent);
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

it("leaves the last word on one thing, and all on others", () => {
  render(<Toasts />);
  act(() => {
    toast("Not generated", { tone: "bad", about: "the drawing" });
    toast("Not saved", { tone: "bad" });
    toast("Generated: 2 files changed", { tone: "ok", about: "the drawing" });
  });
  expect(screen.getByRole("alert").textContent).toBe("Not saved");
  expect(screen.getByRole("status").textContent).toBe("Generated: 2 files changed");
});

it("puts errors that could be read away into a count, from which they come back until they are closed", () => {
  vi.useFakeTimers();
  render(
    <>
      <Toasts />
      <PutAwayToasts className="" />
    </>,
  );
  act(() => {
    toast("Not saved", { tone: "bad" });
    toast("Ads crashed", { tone: "warn", lasts: 0 });
    toast("Copied", { lasts: READ_MS + 1 });
  });
  const count = () => screen.queryByRole("button", { name: /message/ });
  pass(READ_MS - 1);
  expect([said(), count()]).toEqual([["Not saved", "Ads crashed", "Copied"], null]);
  // Whoever is at one of them reads it.
  act(() => screen.getAllByRole("button", { name: "Dismiss" })[0]!.focus());
  pass(READ_MS);
  expect([said(), count()]).toEqual([["Not saved", "Ads crashed"], null]);
  act(() => (document.activeElement as HTMLElement).blur());
  pass(READ_MS);
  expect([said(), count()?.textContent]).toEqual([[], "2 messages"]);
  fireEvent.click(count()!);
  expect(said()).toEqual(["Not saved", "Ads crashed"]);
  fireEvent.click(screen.getAllByRole("button", { name: "Dismiss" })[0]!);
  expect([said(), count()?.textContent]).toEqual([["Ads crashed"], "1 message"]);
  fireEvent.click(count()!);
  expect([said(), count()?.textContent]).toEqual([[], "1 message"]);
});

it("keeps all errors where nothing counts them, and those that newer messages push out where something does", () => {
  vi.useFakeTimers();
  const { rerender } = render(<Toasts />);
  act(() => void toast("Not opened", { tone: "bad" }));
  pass(READ_MS);
  expect(said()).toEqual(["Not opened"]);
  rerender(
    <>
      <Toasts />
      <PutAwayToasts className="" />
    </>,
  );
  act(dismissToasts);
  act(() => {
    for (const word of ["one", "two", "three", "four", "five", "six"]) toast(word, { tone: "bad" });
  });
  expect(said()).toEqual(["three", "four", "five", "six"]);
  fireEvent.click(screen.getByRole("button", { name: "2 messages" }));
  expect(said()).toEqual(["one", "two", "three", "four", "five", "six"]);
});

it("waits in a tab that nobody looks at until somebody does", () => {
  vi.useFakeTimers();
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  render(
    <>
      <Toasts />
      <PutAwayToasts className="" />
    </>,
  );
  act(() => void toast("Not saved", { tone: "bad" }));
  pass(10 * READ_MS);
  hidden.mockRestore();
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  pass(READ_MS - 1);
  expect(said()).toEqual(["Not saved"]);
  pass(1);
  expect(said()).toEqual([]);
});
