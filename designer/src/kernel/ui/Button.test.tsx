import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Button } from "./Button.js";

afterEach(cleanup);

const primary = (): string[] =>
  screen
    .getAllByRole("button")
    .filter((button) => button.classList.contains("btn-primary"))
    .map((button) => button.textContent ?? "");

function Page({ card = false, typed = false }) {
  return (
    <>
      {card ? <Button variant="primary">Use 6 threads</Button> : null}
      <Button variant={typed ? "primary" : "secondary"}>Apply</Button>
      <Button variant="primary" yields>
        Run
      </Button>
    </>
  );
}

it("is the only primary one on the screen: that of the bar gives way, and the last that came is it", () => {
  const { rerender } = render(<Page />);
  expect(primary()).toEqual(["Run"]);
  rerender(<Page card />);
  expect(primary()).toEqual(["Use 6 threads"]);
  rerender(<Page card typed />);
  expect(primary()).toEqual(["Apply"]);
  rerender(<Page card />);
  expect(primary()).toEqual(["Use 6 threads"]);
  rerender(<Page />);
  expect(primary()).toEqual(["Run"]);
});
