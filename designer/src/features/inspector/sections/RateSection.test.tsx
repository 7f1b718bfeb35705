import type { LiveSchema } from "@penstock/codegen/contract";
import type { Source } from "@penstock/codegen/topology";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { documentStore } from "../../../kernel/document/index.js";
import { endBinary, resetLive, takeSchema } from "../../../kernel/live/liveStore.js";
import { closedProject, projectStore } from "../../../kernel/server/projectStore.js";
import { adsTopology, open } from "../../../testing/ads.js";
import { Toasts, TooltipProvider } from "../../../kernel/ui/index.js";
import { FlowInspector } from "../kinds/FlowInspector.js";
import { schemaOf } from "../../../testing/schemaOf.js";

const sent: unknown[] = [];
let refused = false;
vi.mock("../../../kernel/connection/commands.js", () => ({
  sendCommand: async (binary: string, method: string, params: unknown) => {
    if (refused) throw new Error("not now");
    sent.push([binary, method, params]);
  },
}));

const FILE: Source = { kind: "file", path: "a.jsonl" };
const draw = (source: Source): void => {
  const topology = adsTopology();
  topology.flows[0]!.source = source;
  open(topology);
};
const source = () => documentStore.getState().topology.flows[0]?.source;
const say = (running: LiveSchema["flows"][number]["source"]): void =>
  takeSchema(schemaOf({ flows: [{ id: 0, name: "Impressions", source: running, stages: [] }] }));
const show = () =>
  render(
    <TooltipProvider>
      <FlowInspector name="Impressions" />
      <Toasts />
    </TooltipProvider>,
  );
const tag = () => screen.getByRole("region", { name: "Rate" }).querySelector(".badge")?.textContent;
const ask = (text: string, label = "Lines per second"): void => {
  const input = screen.getByLabelText<HTMLInputElement>(label);
  fireEvent.change(input, { target: { value: text } });
  fireEvent.blur(input);
  fireEvent.submit(input.form!);
};
const asked = (perSecond: number) => [["ads-server", "source.set", { flow: "Impressions", perSecond }]];

beforeEach(() => {
  sent.length = 0;
  refused = false;
  resetLive();
  const alive = { binary: "ads-server", state: "running" };
  projectStore.setState({ ...closedProject, project: "p", binaries: [alive] as never });
});
afterEach(() => {
  cleanup();
  projectStore.setState(closedProject);
});

it("of a file that is read is set in the binary, then drawn, without a build", async () => {
  draw(FILE);
  say({ kind: "file", perSecond: null });
  show();
  expect(tag()).toBe("live");
  expect(screen.getByText(/^no limit asked/)).not.toBeNull();
  ask("50");
  await waitFor(() => expect(source()).toEqual({ ...FILE, perSecond: 50 }));
  expect(sent).toEqual(asked(50));
});

it("of a file is taken away again: the binary is told the greatest there is", async () => {
  draw({ ...FILE, perSecond: 50 });
  say({ kind: "file", perSecond: 50 });
  show();
  ask("");
  await waitFor(() => expect(source()).toEqual(FILE));
  expect(sent).toEqual(asked(1e9));
});

it("is not drawn where the binary refuses it", async () => {
  draw(FILE);
  say({ kind: "file", perSecond: null });
  show();
  refused = true;
  ask("50");
  expect(await screen.findByText("not now")).not.toBeNull();
  expect(source()).toEqual(FILE);
});

it("of a source that runs as another kind needs a build, and is only drawn", async () => {
  draw(FILE);
  say({ kind: "rate", perSecond: 200 });
  show();
  expect(tag()).toBeUndefined();
  ask("50");
  await waitFor(() => expect(source()).toEqual({ ...FILE, perSecond: 50 }));
  expect(sent).toEqual([]);
});

it("is only drawn while nothing runs", async () => {
  draw(FILE);
  show();
  ask("0");
  await waitFor(() => expect(source()).toEqual({ ...FILE, perSecond: 0 }));
  expect(sent).toEqual([]);
});

it("is only drawn where the binary has failed", async () => {
  draw(FILE);
  say({ kind: "file", perSecond: null });
  endBinary("ads-server");
  show();
  ask("50");
  await waitFor(() => expect(source()).toEqual({ ...FILE, perSecond: 50 }));
  expect(sent).toEqual([]);
});

it("is no figure before two samples have come", () => {
  draw({ kind: "rate", perSecond: 200 });
  say({ kind: "rate", perSecond: 200 });
  show();
  expect(screen.getByText(/asked/).textContent).toBe("200 asked · –/s made");
});

it("of events that are made is never none", async () => {
  draw({ kind: "rate", perSecond: 200 });
  say({ kind: "rate", perSecond: 200 });
  show();
  ask("", "Events per second");
  await Promise.resolve();
  expect(source()).toEqual({ kind: "rate", perSecond: 200 });
  ask("20", "Events per second");
  await waitFor(() => expect(source()).toEqual({ kind: "rate", perSecond: 20 }));
  expect(sent).toEqual(asked(20));
});

it("is that of each process as it is drawn, and of all together as it is asked for", async () => {
  draw({ kind: "rate", perSecond: 20 });
  const alive = {
    binary: "ads-server",
    state: "running",
    processes: [{ state: "running" }, { state: "running", attached: true }],
  };
  projectStore.setState({ binaries: [alive] as never });
  say({ kind: "rate", perSecond: 40 });
  show();
  expect(screen.getByText(/40 asked/)).toBeTruthy();
  ask("30", "Events per second");
  await waitFor(() => expect(sent).toEqual(asked(60)));
  await waitFor(() => expect(source()).toMatchObject({ perSecond: 30 }));
});
