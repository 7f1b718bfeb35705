import type { LiveSchema } from "@penstock/codegen/contract";
import type { Source } from "@penstock/codegen/topology";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { documentStore } from "../../../kernel/document/index.js";
import { rename } from "../../../kernel/document/edits/rename.js";
import { followNames } from "../../../kernel/live/followNames.js";
import { endBinary, resetLive, takeSchema } from "../../../kernel/live/liveStore.js";
import { closedProject, projectStore } from "../../../kernel/server/projectStore.js";
import { adsTopology, open } from "../../../testing/ads.js";
import { Toasts, TooltipProvider } from "../../../kernel/ui/index.js";
import { FlowInspector } from "../kinds/FlowInspector.js";
import { schemaOf } from "../../../testing/schemaOf.js";

const sent: unknown[] = [];
let refused: boolean | string = false;
vi.mock("../../../kernel/connection/commands.js", () => ({
  sendCommand: async (binary: string, method: string, params: unknown) => {
    if (refused === true || refused === binary) throw new Error("not now");
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
const say = (running: LiveSchema["flows"][number]["source"], binary = "ads-server"): void =>
  takeSchema(schemaOf({ binary, flows: [{ id: 0, name: "Impressions", source: running, stages: [] }] }));
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

it("is no longer said of what has just ended", async () => {
  draw(FILE);
  say({ kind: "file", perSecond: 50 });
  show();
  expect(screen.queryByText(/made$/)).not.toBeNull();
  endBinary("ads-server");
  await waitFor(() => expect(screen.queryByText(/made$/)).toBeNull());
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

describe("of a flow that several binaries run", () => {
  beforeEach(() => {
    const topology = adsTopology();
    topology.flows[0]!.source = { kind: "rate", perSecond: 20 };
    topology.binaries.push({ ...topology.binaries[0]!, name: "second", listen: [] });
    open(topology);
    const processes = [{ state: "running" }, { state: "running" }];
    projectStore.setState({
      binaries: [
        { binary: "ads-server", state: "running" },
        { binary: "second", state: "running", processes },
      ] as never,
    });
    say({ kind: "rate", perSecond: 20 });
    say({ kind: "rate", perSecond: 40 }, "second");
  });
  const set = (binary: string, perSecond: number) => [
    binary,
    "source.set",
    { flow: "Impressions", perSecond },
  ];

  it("is set in each of them, in one with two processes for both, and then drawn", async () => {
    show();
    expect(screen.getByText(/asked/).textContent).toBe("60 asked · –/s made");
    ask("30", "Events per second");
    await waitFor(() => expect(source()).toMatchObject({ perSecond: 30 }));
    expect(sent).toEqual([set("ads-server", 30), set("second", 60)]);
  });

  it("is what it was in all of them, and on the drawing, where one refuses it", async () => {
    show();
    refused = "second";
    ask("30", "Events per second");
    expect(await screen.findByText("not now")).not.toBeNull();
    await waitFor(() => expect(sent).toEqual([set("ads-server", 30), set("ads-server", 20)]));
    expect(source()).toMatchObject({ perSecond: 20 });
  });

  it("is set in those that are heard of", async () => {
    endBinary("ads-server");
    show();
    ask("30", "Events per second");
    await waitFor(() => expect(source()).toMatchObject({ perSecond: 30 }));
    expect(sent).toEqual([set("second", 60)]);
  });
});

it("of a renamed binary is that of all of its processes", async () => {
  const stop = followNames();
  draw({ kind: "rate", perSecond: 20 });
  const alive = {
    binary: "ads-server",
    state: "running",
    processes: [{ state: "running" }, { state: "running" }],
  };
  projectStore.setState({ project: "p1", binaries: [alive] as never });
  say({ kind: "rate", perSecond: 40 });
  rename("binary:ads-server", "server");
  show();
  ask("30", "Events per second");
  await waitFor(() =>
    expect(sent).toEqual([["server", "source.set", { flow: "Impressions", perSecond: 60 }]]),
  );
  stop();
});
