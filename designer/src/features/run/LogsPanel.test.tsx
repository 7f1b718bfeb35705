import type { LogLine } from "@penstock/codegen/contract";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clearLogs, logStore } from "../../kernel/server/logStore.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { LogsPanel } from "./LogsPanel.js";
import { indentOf } from "./logRows.js";

const show = (...lines: (Pick<LogLine, "text" | "severity"> & Partial<LogLine>)[]) => {
  const place = { atMs: 0, binary: "shop", stream: "penstock" } as const;
  logStore.setState({ lines: lines.map((line, seq) => ({ seq, ...place, ...line })), dropped: 0 });
  render(<LogsPanel />, { wrapper: TooltipProvider });
};
/** As wide as a hundred characters of the text of a line, each of seven pixels. */
const WIDTH = 28 + indentOf("shop", { cell: 7, names: 4 }) + 100 * 7;
const row = (text: string) => screen.getByText(text, { exact: false }).closest<HTMLElement>(".log-line");

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(WIDTH);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(180);
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue({ width: 70 } as DOMRect);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(private readonly changed: () => void) {}
      observe() {
        this.changed();
      }
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  clearLogs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("shows a crash as what went wrong, beside what Penstock says else", () => {
  show({ text: "ready" }, { text: "crashed (SIGKILL)", severity: "error" });
  expect(row("ready")?.dataset["severity"]).toBeUndefined();
  expect(row("crashed")?.dataset["severity"]).toBe("error");
});

it("marks what came by stderr, and warns only where the line does", () => {
  show(
    { stream: "stderr", text: "listening at 127.0.0.1:80" },
    { stream: "stderr", text: "WARN slow" },
    { stream: "stdout", text: "[error] gone", binary: "models-server.2" },
  );
  const rows = ["listening", "slow", "gone"].map((text) => row(text)!);
  expect(rows.map(({ dataset, title }) => [dataset["severity"], title])).toEqual([
    [undefined, "Written to stderr"],
    ["warning", "Written to stderr"],
    ["error", ""],
  ]);
  // Their texts begin one below the other.
  const gaps = rows.map((one) => one.querySelector<HTMLElement>(".log-binary")!.style.paddingRight);
  expect(gaps).toEqual([`${11 * 7 + 12}px`, `${11 * 7 + 12}px`, "12px"]);
  expect(new Set(rows.map(({ style }) => style.textIndent)).size).toBe(1);
});

it("says in words what was changed, has what was printed in the title, and finds it by both", () => {
  const printed = '{"event":"adapted","atMs":1,"pool":"models","from":2,"to":4,"waitedMs":0}';
  show({ stream: "stderr", text: printed }, { text: "ready" });
  expect(row("models: 2 → 4 threads, by itself")?.title).toBe(printed);
  const filter = screen.getByLabelText("Filter lines");
  for (const wanted of ["2 → 4", "ADAPTED"]) {
    fireEvent.change(filter, { target: { value: wanted } });
    expect(document.querySelectorAll(".log-line")).toHaveLength(1);
  }
});

it("breaks lines that are longer than it is wide, and goes by the rows that they take", () => {
  const text = "models: 3 → 41 threads; ".repeat(10);
  show(...Array.from({ length: 300 }, (_, at) => ({ text: `${at} ${text}` })));
  const box = screen.getByRole("log");
  const inPage = () => [...box.querySelectorAll(".log-line")].map((one) => one.lastChild?.textContent);
  // Of 18 pixels each: ten rows in view, and twelve beyond.
  expect(box.querySelector("div")?.style.height).toBe(`${300 * 3 * 18}px`);
  expect([inPage().length, inPage()[0]]).toEqual([8, `0 ${text}`]);
  box.scrollTop = 600 * 18;
  fireEvent.scroll(box);
  expect([inPage()[0], inPage().at(-1)]).toEqual([`196 ${text}`, `207 ${text}`]);
});
