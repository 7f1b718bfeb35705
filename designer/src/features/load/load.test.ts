import {
  LOAD_DEFAULTS,
  type LoadReport,
  type LoadSecond,
  type ServerMessage,
} from "@penstock/codegen/contract";
import { beforeEach, expect, test } from "vitest";
import { dispatch } from "../../kernel/connection/dispatch.js";
import { dueAt, loadedFlow } from "../../kernel/run/loadedFlow.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { headerFault, loadStore, requestOf, targetOf, type LoadForm } from "./loadStore.js";
import { progressOf, titleOf } from "./loadWords.js";

const second = (at: number, target = 100): LoadSecond => ({
  second: at,
  target,
  sent: target,
  completed: target,
  failed: 0,
  waiting: 0,
  queued: 0,
  p50Us: 1,
  p90Us: 2,
  p99Us: 3,
  maxUs: 4,
  busy: null,
  held: true,
});
const report: LoadReport = {
  version: 1,
  target: { kind: "flow", binary: "app", flow: "Ticks" },
  settings: LOAD_DEFAULTS,
  startedAtMs: 5_000_000,
  lengthS: null,
  outcome: "interrupted",
  heldPerSecond: null,
  breakingPoint: null,
  seconds: [],
  whole: null,
  failures: [],
};
const tell = (message: ServerMessage): void => dispatch(message);
const loading = (seconds: LoadSecond[]): void =>
  tell({
    type: "load",
    project: "p",
    status: { phase: "loading", report: { ...report, seconds }, problems: [] },
  });

beforeEach(() => projectStore.setState({ ...closedProject, project: "p" }));

test("should grow by the seconds that come, each once, also for a tab that came in between", () => {
  loading([second(0), second(1)]);
  for (const at of [1, 2, 3])
    tell({ type: "load-second", project: "p", second: second(at), heldPerSecond: 90 });
  const { load } = projectStore.getState();
  expect(load.report?.seconds.map((one) => one.second)).toEqual([0, 1, 2, 3]);
  expect(load.report?.heldPerSecond).toBe(90);
});

test("should know what was due when, of the flow that is loaded and of no other", () => {
  loading([second(0, 100), second(1, 110)]);
  expect([5000, 5000.9, 5001, 4999.9].map((at) => dueAt("flow:Ticks", at))).toEqual([100, 100, 110, null]);
  expect(dueAt("flow:Others", 5000)).toBeNull();
  // The second that is not over yet, while there is one.
  expect(dueAt("flow:Ticks", 5002.5)).toBe(110);
  tell({
    type: "load",
    project: "p",
    status: { phase: "ended", report: { ...report, seconds: [second(0)] }, problems: [] },
  });
  expect(dueAt("flow:Ticks", 5002.5)).toBeNull();
});

test("should hold the rate of a flow for the load's own only while it lasts", () => {
  loading([]);
  expect(loadedFlow(projectStore.getState())).toBe("Ticks");
  tell({ type: "load", project: "p", status: { phase: "broke", report, problems: [] } });
  expect(loadedFlow(projectStore.getState())).toBeNull();
});

test("should take the first flow that runs, an address where none does, and nothing that is gone", () => {
  const form: LoadForm = {
    chosen: "",
    url: "http://127.0.0.1:1/",
    method: "POST",
    body: "x",
    header: "authorization: Bearer t",
    settings: LOAD_DEFAULTS,
  };
  const flows = [{ binary: "app", flow: "Ticks" }];
  expect(targetOf(form, flows)).toEqual({ kind: "flow", binary: "app", flow: "Ticks" });
  expect(targetOf(form, [])).toEqual({ kind: "url", method: "POST", url: form.url });
  expect(targetOf({ ...form, chosen: "app/Gone" }, flows)).toBeNull();
  const url = targetOf({ ...form, chosen: "url" }, flows);
  expect(url && requestOf(form, url)).toMatchObject({ body: "x", headers: [form.header] });
  expect(url && requestOf({ ...form, header: "" }, url)).not.toHaveProperty("headers");
  const flow = targetOf(form, flows);
  expect(flow && requestOf(form, flow)).toEqual({ target: flow, settings: form.settings });
});

test("should send a header that is one", () => {
  expect([headerFault(""), headerFault("Accept: text/plain")]).toEqual(["", ""]);
  for (const none of ["Trailer: x", "Bearer token", "a b: c", "x: \u00e9", "x: y\r\nz: 1"])
    expect(headerFault(none), none).toContain("Accept: text/plain");
});

test("should have nothing in its form of another project, and all of it after a reconnect", () => {
  loadStore.setState({ url: "http://127.0.0.1:1/", header: "authorization: Bearer t" });
  projectStore.setState({ ...closedProject, project: null });
  projectStore.setState({ ...closedProject, project: "p" });
  expect(loadStore.getState().header).toBe("authorization: Bearer t");
  projectStore.setState({ ...closedProject, project: "q" });
  expect(loadStore.getState()).toMatchObject({ url: "http://127.0.0.1:8080/", header: "", body: "" });
});

test("should say how far it is: of the whole where it has an end, else of the step", () => {
  const some = { ...report, seconds: [second(0), second(1), second(2)] };
  expect(progressOf(some)).toBeCloseTo(0.3);
  expect(progressOf({ ...some, lengthS: 6 })).toBeCloseTo(0.5);
  expect(titleOf({ phase: "idle", report: { ...some, outcome: "broke" }, problems: [] })).toBe("Broke");
  expect(titleOf({ phase: "idle", report: null, problems: [] })).toBe("");
  const nothing = { code: "PS873", severity: "error", message: "", pointer: "", help: "" } as const;
  expect(titleOf({ phase: "ended", report: some, problems: [nothing] })).toBe("Failed");
  expect(titleOf({ phase: "interrupted", report: some, problems: [nothing] })).toBe("Stopped");
});
