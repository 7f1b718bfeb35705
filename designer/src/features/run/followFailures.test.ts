import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setDockTab, workbenchStore } from "../../kernel/document/index.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { frontFailed } from "./followFailures.js";

const said = vi.hoisted(() => vi.fn<(title: string, options?: object) => void>());
vi.mock("../../kernel/ui/toast.js", () => ({ toast: said }));

let stop = () => undefined as void;
const tab = () => workbenchStore.getState().dockTab;
const phases = (...list: ("building" | "failed")[]) => {
  for (const phase of list)
    projectStore.setState((state) => ({
      build: { ...state.build, phase: phase as typeof state.build.phase },
    }));
};

beforeEach(() => {
  said.mockReset();
  projectStore.setState({ ...closedProject, project: "p1" });
  setDockTab("metrics");
  stop = frontFailed();
});
afterEach(() => {
  stop();
  projectStore.setState(closedProject);
  setDockTab("problems");
});

it("brings the log of a build that failed without a problem to the front, once", () => {
  phases("building", "failed");
  expect(tab()).toBe("build");
  setDockTab("logs");
  projectStore.setState({ output: ["more"] });
  expect(tab()).toBe("logs");
});

it("brings the problems to the front where the build has named some", () => {
  projectStore.setState((state) => ({
    build: {
      ...state.build,
      problems: [{ code: "PS850", severity: "error", message: "no", pointer: "", help: "" }],
    },
  }));
  phases("building", "failed");
  expect(tab()).toBe("problems");
});

it("says in full what keeps the drawing from being built, also where the list is hidden", () => {
  const wrong = (code: string, help: string, file?: string) =>
    ({ code, severity: "error", message: code, pointer: "", help, ...(file && { file }) }) as const;
  const fail = (...problems: ReturnType<typeof wrong>[]) => {
    projectStore.setState((state) => ({ build: { ...state.build, problems } }));
    phases("building", "failed");
  };
  fail(wrong("PS850", "", "src/a.cpp"));
  expect(said).not.toHaveBeenCalled();
  fail(wrong("PS402", "Lead it on."), wrong("PS403", ""));
  expect(said).toHaveBeenCalledExactlyOnceWith(
    "Not built",
    expect.objectContaining({ body: "PS402. Lead it on. And 1 more, listed under Problems." }),
  );
});

it("leaves the tab alone when a project is opened whose last build failed", () => {
  projectStore.setState((state) => ({ project: "p2", build: { ...state.build, phase: "failed" } }));
  expect(tab()).toBe("metrics");
});
