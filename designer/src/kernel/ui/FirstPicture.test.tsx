import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FirstPicture, useAfterFirstPicture } from "./FirstPicture.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Around() {
  return <p>{useAfterFirstPicture() ? "all of it" : "the drawing alone"}</p>;
}
/** Two frames, and an idle moment. */
const aPictureLater = () => act(() => vi.advanceTimersByTimeAsync(300));

it("shows what stands around the drawing after the first picture, of each project anew", async () => {
  const page = (project: string) => (
    <FirstPicture of={project}>
      <Around />
    </FirstPicture>
  );
  const { rerender } = render(page("ads"));
  expect(screen.getByText("the drawing alone")).not.toBeNull();
  await aPictureLater();
  expect(screen.getByText("all of it")).not.toBeNull();
  rerender(page("case1"));
  expect(screen.getByText("the drawing alone")).not.toBeNull();
  await aPictureLater();
  expect(screen.getByText("all of it")).not.toBeNull();
});

it("leaves nothing out where no frame says what comes first", () => {
  render(<Around />);
  expect(screen.getByText("all of it")).not.toBeNull();
});
