import type { LogLine } from "@penstock/codegen/contract";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clearLogs, logStore } from "../../kernel/server/logStore.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { LogsPanel } from "./LogsPanel.js";

const show = (...lines: Pick<LogLine, "text" | "severity">[]) => {
  const place = { atMs: 0, binary: "shop", stream: "penstock" } as const;
  logStore.setState({ lines: lines.map((line, seq) => ({ seq, ...place, ...line })), dropped: 0 });
  render(<LogsPanel />, { wrapper: TooltipProvider });
};
const row = (text: string) => screen.getByText(text, { exact: false }).closest<HTMLElement>(".log-line");

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  clearLogs();
  vi.unstubAllGlobals();
});

it("shows a crash as what went wrong, beside what Penstock says else", () => {
  show({ text: "ready" }, { text: "crashed (SIGKILL)", severity: "error" });
  expect(row("ready")?.dataset["severity"]).toBeUndefined();
  expect(row("crashed")?.dataset["severity"]).toBe("error");
});
