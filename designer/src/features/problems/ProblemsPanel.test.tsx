import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import type { Problem } from "@penstock/codegen/diagnostics";
import { afterEach, expect, it } from "vitest";
import { setSourceFiles } from "../../kernel/document/unwritten.js";
import { setDrawnProblems } from "../../kernel/problems/problemStore.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { open, adsTopology } from "../../testing/ads.js";
import { ProblemsPanel, whatIsMissing } from "./ProblemsPanel.js";
import { emptyTopology } from "../../kernel/document/index.js";

const problem = (at: number): Problem => ({
  code: at % 2 === 0 ? "PS301" : "PS614",
  severity: at % 2 === 0 ? "error" : "warning",
  message: `The service "Service${at}" is odd`,
  pointer: `/services/${at}`,
  help: "",
});
const show = (count: number) => {
  open();
  setDrawnProblems(Array.from({ length: count }, (_, at) => problem(at)));
  render(<ProblemsPanel />, { wrapper: TooltipProvider });
};
const filter = () => screen.queryByRole("searchbox", { name: "Filter the problems" });
const rows = () => within(screen.getByRole("list", { name: "Problems" })).getAllByRole("listitem");

afterEach(() => {
  cleanup();
  setDrawnProblems([]);
  setSourceFiles([]);
});

it("names handlers that nobody has written yet where else nothing is wrong", () => {
  const file = (name: string) => {
    const path = `src/services/${name}.cpp`;
    return { id: name, path, node: `service:${name}`, owner: "user", written: false } as const;
  };
  setSourceFiles(["A", "B", "C", "D", "E"].map(file));
  show(0);
  expect(screen.getByText(/Handlers to be written yet: A, B, C and 2 more\./)).not.toBeNull();
});

it("lets many problems be filtered by all words of a query, and none of a few", () => {
  show(12);
  expect(filter()).toBeNull();
  cleanup();
  show(60);
  expect(rows()).toHaveLength(60);
  fireEvent.change(filter()!, { target: { value: "error service1" } });
  // Service10, 12, 14, 16, 18: of the even ones.
  expect(rows()).toHaveLength(5);
  expect(screen.getByText("5 of 60").getAttribute("role")).toBe("status");
  fireEvent.change(filter()!, { target: { value: "PS614 service3" } });
  expect(rows()).toHaveLength(6);
  fireEvent.change(filter()!, { target: { value: "nothing of it" } });
  expect(rows()[0]?.textContent).toBe("None of them has these words.");
});

it("names what an empty drawing needs before it can run", () => {
  const empty = emptyTopology("new");
  expect(whatIsMissing(empty)).toMatch(/^It needs a service, a bundle .* and a binary/);
  expect(whatIsMissing({ ...empty, binaries: adsTopology().binaries })).toMatch(/^It needs a service:/);
  expect(whatIsMissing({ ...adsTopology(), binaries: [] })).toMatch(/^It needs a binary:/);
  expect(whatIsMissing(adsTopology())).toBeUndefined();
});
