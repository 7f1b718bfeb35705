import { checkDocument } from "@penstock/codegen/validate";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { documentStore } from "../../../kernel/document/index.js";
import { setDrawnProblems } from "../../../kernel/problems/problemStore.js";
import { projectStore } from "../../../kernel/server/projectStore.js";
import { structureOf } from "../../../kernel/run/pendingLive.js";
import { open } from "../../../testing/ads.js";
import { TooltipProvider } from "../../../kernel/ui/index.js";
import { BinaryInspector } from "./BinaryInspector.js";

const topology = () => documentStore.getState().topology;
const binary = () => topology().binaries[0]!;
const field = () => screen.getByLabelText<HTMLInputElement>("Report a handler after");
const type = (text: string): void => void fireEvent.change(field(), { target: { value: text } });
const enter = (): void => void fireEvent.keyDown(field(), { key: "Enter" });

beforeEach(() => {
  open();
  render(<BinaryInspector name="ads-server" />, { wrapper: TooltipProvider });
});
afterEach(cleanup);

it("has examples in empty fields, which are told from what holds without", () => {
  const listen = screen.getByLabelText<HTMLInputElement>("Discovery");
  expect([listen.value, listen.placeholder]).toEqual(["", "such as nats://127.0.0.1:4222"]);
});

it("sets the limit of the watchdog, which shows its default while it has none", () => {
  expect([field().value, field().placeholder]).toEqual(["", "default: 5000"]);
  const before = structureOf(topology());
  for (const limit of [0, 3_600_000]) {
    type(String(limit));
    enter();
    expect(binary().watchdogMs).toBe(limit);
  }
  // As its tag says.
  expect(structureOf(topology())).not.toBe(before);
  type("");
  enter();
  expect(Object.hasOwn(binary(), "watchdogMs")).toBe(false);
});

it.each([
  ["-1", "Must be 0 to 3600000"],
  ["3600001", "Must be 0 to 3600000"],
  ["0.5", "Type a whole number"],
])("takes no %s as the limit of the watchdog, and says why", (text, why) => {
  type(text);
  expect(screen.getByText(why)).not.toBeNull();
  enter();
  expect(binary().watchdogMs).toBeUndefined();
  fireEvent.blur(field());
  expect([field().value, screen.queryByText(why)?.textContent]).toEqual([text, why]);
  fireEvent.keyDown(field(), { key: "Escape" });
  expect([field().value, screen.queryByText(why)]).toEqual(["", null]);
  type("7");
  enter();
  expect(binary().watchdogMs).toBe(7);
});

it("sets when links are taken for lost, and nothing where all is as it is without", () => {
  const commit = (label: string, text: string): void => {
    const ms = screen.getByLabelText<HTMLInputElement>(label);
    fireEvent.change(ms, { target: { value: text } });
    fireEvent.keyDown(ms, { key: "Enter" });
  };
  const [silent, host] = ["Take a silent link for lost after", "Take another host for lost after"];
  expect(screen.getByLabelText<HTMLInputElement>(silent).placeholder).toBe("default: 3000");
  commit(silent, "5000");
  commit(host, "1500");
  commit(host, "9");
  expect(binary().liveness).toEqual({ lostMs: 5000, hostLostMs: 1500 });
  commit(silent, "");
  expect(binary().liveness).toEqual({ hostLostMs: 1500 });
  commit(host, "");
  expect(Object.hasOwn(binary(), "liveness")).toBe(false);
});

it("says at the field what is wrong with the time after which a link is lost, in the words of the form", () => {
  const commit = (label: string, text: string): void => {
    const ms = screen.getByLabelText<HTMLInputElement>(label);
    fireEvent.change(ms, { target: { value: text } });
    fireEvent.keyDown(ms, { key: "Enter" });
    act(() => setDrawnProblems(checkDocument(JSON.stringify(topology())).problems));
  };
  const said = (label: string): string | undefined => {
    const described = screen.getByLabelText(label).getAttribute("aria-describedby");
    return described === null ? undefined : document.getElementById(described)?.textContent;
  };
  const [asked, silent] = ["Ask the other end each", "Take a silent link for lost after"] as const;
  commit(silent, "1500");
  expect(said(asked)).toBeUndefined();
  expect(said(silent)).toBe(
    'Lost after (lostMs) of "ads-server" is 1500 ms, less than two times the 1000 ms of Ask each (pingMs)',
  );
  expect(screen.getByText("Lost after")).toBeDefined();
  expect(screen.getByText("Ask each")).toBeDefined();
  commit(silent, "");
  expect(said(silent)).toBeUndefined();
  commit(asked, "2000");
  expect(said(asked)).toBe(
    'Ask each (pingMs) of "ads-server" is 2000 ms, more than half of the 3000 ms of Lost after (lostMs)',
  );
  commit(asked, "");
  expect(said(asked)).toBeUndefined();
});

it("sets how many processes a run starts, one is what it is without, and says how each is", () => {
  const replicas = screen.getByLabelText<HTMLInputElement>("Replicas");
  const commit = (text: string): void => {
    fireEvent.change(replicas, { target: { value: text } });
    fireEvent.keyDown(replicas, { key: "Enter" });
  };
  expect([replicas.value, replicas.placeholder]).toEqual(["", "default: 1"]);
  commit("3");
  expect(binary().replicas).toBe(3);
  commit("65");
  expect(binary().replicas).toBe(3);
  commit("1");
  expect(Object.hasOwn(binary(), "replicas")).toBe(false);

  const process = { control: null, http: null, startedAtMs: 1, restarts: 0 };
  act(() =>
    projectStore.setState({
      binaries: [
        {
          ...{
            binary: "ads-server",
            state: "crashed",
            detail: "1 of 2 crashed",
            pid: 71,
            topologyHash: null,
          },
          ...process,
          processes: [
            { name: "ads-server", state: "running", detail: "", pid: 71, ...process },
            { name: "ads-server.2", state: "crashed", detail: "crashed (SIGKILL)", pid: null, ...process },
          ],
        },
      ],
    }),
  );
  expect(screen.getByText("ads-server.2").closest("li")?.textContent).toBe("ads-server.2crashed");
  expect(screen.getByText("crashed").dataset["tone"]).toBe("bad");
  expect(screen.getByText("running · 71").dataset["tone"]).toBe("");
});
