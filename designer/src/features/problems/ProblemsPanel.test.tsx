import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import type { Problem } from "@penstock/codegen/diagnostics";
import { afterEach, expect, it } from "vitest";
import { setSourceFiles } from "../../kernel/document/unwritten.js";
import { damageOf } from "../../kernel/problems/damage.js";
import { problemStore, setDrawnProblems } from "../../kernel/problems/problemStore.js";
import { startValidation } from "../../kernel/problems/validateDrawn.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { open, adsTopology } from "../../testing/ads.js";
import { ProblemsPanel, whatIsMissing } from "./ProblemsPanel.js";
import { documentStore, emptyTopology } from "../../kernel/document/index.js";

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

it("says where what is on disk cannot be read, for as long as that is so", async () => {
  const checked = async () => {
    let stopped = () => {};
    await act(() => new Promise<void>((resolve) => (stopped = problemStore.subscribe(() => resolve()))));
    stopped();
  };
  const place = { pointer: "", line: 3, column: 18 };
  const noJson = { code: "PS101", message: "A comma too many", help: "Correct the text.", ...place };
  open();
  documentStore.setState({ damage: damageOf([{ ...noJson, severity: "error" }], "", "") });
  const stop = startValidation();
  await checked();
  render(<ProblemsPanel />, { wrapper: TooltipProvider });
  const [row] = rows().filter(({ textContent }) => /damaged/.test(textContent));
  expect(row?.textContent).toBe(
    "topology.json is damaged: A comma too manyPS101 · topology.json:3:18 · Correct the text.",
  );
  const { all } = problemStore.getState();
  documentStore.setState({ damage: [] });
  await checked();
  expect(problemStore.getState().all).toEqual(all.slice(1));
  stop();
});

it("takes no place of a damaged file for one of what is drawn", () => {
  open();
  const wrong = { code: "PS120", severity: "error", message: 'Unknown key "x"', help: "" } as const;
  const [damage] = damageOf([{ ...wrong, pointer: "/services/0/x", node: "service:GetAd" }], "", "");
  expect(damage).toEqual({
    ...wrong,
    message: 'topology.json is damaged at /services/0/x: Unknown key "x"',
    pointer: "",
    file: "topology.json",
  });
});

it("says of damage that has no place what is known of it", () => {
  open();
  setDrawnProblems(damageOf([], "topology.json is damaged: it is not valid UTF-8", "Repair the file."));
  render(<ProblemsPanel />, { wrapper: TooltipProvider });
  expect(rows()[0]?.textContent).toBe(
    "topology.json is damaged: it is not valid UTF-8topology.json · Repair the file.",
  );
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
