import { afterEach, beforeEach, expect, it } from "vitest";
import { setDockTab, workbenchStore } from "../../kernel/document/index.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { frontFailed } from "./frontFailed.js";

let stop = () => undefined as void;
const tab = () => workbenchStore.getState().dockTab;
const phases = (...list: ("building" | "failed")[]) => {
  for (const phase of list)
    projectStore.setState((state) => ({
      build: { ...state.build, phase: phase as typeof state.build.phase },
    }));
};

beforeEach(() => {
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

it("leaves the tab alone when a project is opened whose last build failed", () => {
  projectStore.setState((state) => ({ project: "p2", build: { ...state.build, phase: "failed" } }));
  expect(tab()).toBe("metrics");
});
