import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { CpuFigures } from "./CpuFigures.js";

afterEach(cleanup);
const shown = () => screen.getAllByText(/^CPU/).map(({ textContent }) => textContent);

it("keeps the place of a CPU that no thread is on", () => {
  const { rerender } = render(<CpuFigures loads={new Map([[1, 0.5]])} />);
  expect(shown()).toEqual(["CPU1 50 %"]);
  rerender(
    <CpuFigures
      loads={
        new Map([
          [1, 0.25],
          [0, 0.95],
        ])
      }
    />,
  );
  expect(shown()).toEqual(["CPU0 95 %", "CPU1 25 %"]);
  rerender(<CpuFigures loads={new Map([[1, 0.1]])} />);
  expect(shown()).toEqual(["CPU0 0 %", "CPU1 10 %"]);
});
