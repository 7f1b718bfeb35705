import type { BinaryStatus } from "@penstock/codegen/contract";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setDockTab, workbenchStore } from "../../kernel/document/index.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import type { ToastOptions } from "../../kernel/ui/index.js";
import { sayCrashes } from "./sayCrashes.js";

const said = vi.hoisted(() => vi.fn<(title: string, options: ToastOptions) => void>());
vi.mock("../../kernel/ui/toast.js", () => ({ toast: said }));

const rest = { pid: null, control: null, http: null, startedAtMs: null };
const status = (state: BinaryStatus["state"], detail: string, restarts: number): BinaryStatus => ({
  ...{ binary: "shop", state, detail, restarts, topologyHash: null, ...rest },
});
const told = (...binaries: BinaryStatus[]) => projectStore.setState({ binaries });
const words = () => said.mock.calls.map(([title, { tone, body }]) => [title, tone, body]);

let stop: () => void;
beforeEach(() => {
  said.mockReset();
  projectStore.setState({ ...closedProject, project: "p1" });
  stop = sayCrashes();
});
afterEach(() => {
  stop();
  projectStore.setState(closedProject);
  setDockTab("problems");
});

it("says that a binary has crashed which runs again, once each time, and leads to its log", () => {
  told(status("running", "", 0));
  told(status("crashed", "crashed (SIGKILL)", 0));
  told(status("restarting", "after crashed (SIGKILL)", 1));
  told(status("running", "restarted after crashed (SIGKILL)", 1));
  told(status("running", "restarted after crashed (SIGSEGV)", 2));
  expect(words()).toEqual([
    ["shop crashed (SIGKILL)", "warn", "It was started again."],
    ["shop crashed (SIGSEGV)", "warn", "It was started again, 2 times by now."],
  ]);
  const [first, second] = said.mock.calls.map(([, options]) => options);
  // It stays, and the next one takes its place.
  expect([first?.lasts, first?.about]).toEqual([0, second?.about]);
  first?.action?.onSelect();
  expect(workbenchStore.getState().dockTab).toBe("logs");
});

it("says which of several processes it was", () => {
  const processes = (restarts: number) =>
    ["shop", "shop.2"].map((name, at) => ({
      ...{ name, state: "running" as const, detail: "", restarts: at * restarts, ...rest },
    }));
  told({ ...status("running", "", 0), processes: processes(0) });
  told({ ...status("running", "", 1), processes: processes(1) });
  expect(words()).toEqual([["shop.2 crashed", "warn", "It was started again."]]);
});

it("says in its place that it was given up", () => {
  told(status("restarting", "after crashed (SIGSEGV)", 2));
  told(status("failed", "failed: 3 crashes in 30 s (last: SIGSEGV)", 2));
  told(status("failed", "failed: 3 crashes in 30 s (last: SIGSEGV)", 2));
  const title = "shop failed: 3 crashes in 30 s (last: SIGSEGV)";
  expect(words()).toEqual([[title, "bad", "It is not started again."]]);
});

it("says nothing of what was so before the project was opened, nor of a new start", () => {
  projectStore.setState({ ...closedProject, project: "p2", binaries: [status("running", "", 1)] });
  told(status("running", "", 0));
  projectStore.setState({ ...closedProject, project: "p3" });
  told(status("running", "restarted after crashed (SIGKILL)", 4));
  expect(words()).toEqual([]);
});
