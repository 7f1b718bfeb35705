import type { PoolAdapting } from "@penstock/codegen/contract";
import type { Threads } from "@penstock/codegen/topology";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { documentStore } from "../../../kernel/document/index.js";
import { endBinary, resetLive, takeSchema } from "../../../kernel/live/liveStore.js";
import { Toasts, TooltipProvider } from "../../../kernel/ui/index.js";
import { adsTopology, open } from "../../../testing/ads.js";
import { PoolInspector } from "../kinds/PoolInspector.js";
import { schemaOf, threadsOf } from "../../../testing/schemaOf.js";

const sent: unknown[] = [];
let refused = false;
vi.mock("../../../kernel/connection/commands.js", () => ({
  sendCommand: async (binary: string, method: string, params: unknown) => {
    if (refused) throw new Error("not now");
    sent.push([binary, method, params]);
  },
}));

const draw = (threads: Threads): void => {
  const topology = adsTopology();
  const models = topology.binaries[0]!.pools.find(({ name }) => name === "models")!;
  models.threads = "from" in threads ? { ...threads } : [...threads];
  open(topology);
};
const drawn = () =>
  documentStore.getState().topology.binaries[0]?.pools.find(({ name }) => name === "models")?.threads;
const say = (count: number, adaptive?: PoolAdapting): void =>
  takeSchema(
    schemaOf({
      pools: [
        { id: 0, name: "models", queue: 1024, threads: threadsOf(count), ...(adaptive ? { adaptive } : {}) },
      ],
    }),
  );
const show = () =>
  render(
    <TooltipProvider>
      <PoolInspector binary="ads-server" pool="models" />
      <Toasts />
    </TooltipProvider>,
  );
const tick = () =>
  fireEvent.click(screen.getByRole("checkbox", { name: "Threads come and go with the work" }));
const type = (label: string, text: string): HTMLInputElement => {
  const input = screen.getByLabelText<HTMLInputElement>(label);
  fireEvent.change(input, { target: { value: text } });
  fireEvent.blur(input);
  return input;
};
const FOUR_AT_MOST: PoolAdapting = { from: 2, to: 4, on: true, by: "controller", steps: 3, waitedMs: 9 };
const adapt = (asked: unknown) => ["ads-server", "pool.adapt", { pool: "models", adapt: asked }];

beforeEach(() => {
  sent.length = 0;
  refused = false;
  resetLive();
});
afterEach(cleanup);

it("are drawn with a tick, changed, and taken away again, while nothing runs", async () => {
  draw([{}, {}]);
  show();
  expect(screen.queryByLabelText("Most threads of pool models")).toBeNull();
  tick();
  await waitFor(() => expect(drawn()).toEqual({ from: 2, to: 8 }));
  expect(screen.queryByRole("table")).toBeNull();
  fireEvent.submit(type("Most threads of pool models", "32").form!);
  await waitFor(() => expect(drawn()).toEqual({ from: 2, to: 32 }));
  tick();
  await waitFor(() => expect(drawn()).toEqual([{}, {}]));
  expect(sent).toEqual([]);
});

it("are in force in the binary before they are drawn", async () => {
  draw([{}, {}]);
  say(2);
  show();
  refused = true;
  tick();
  expect(await screen.findByText("not now")).not.toBeNull();
  expect(drawn()).toEqual([{}, {}]);
  refused = false;
  tick();
  await waitFor(() => expect(drawn()).toEqual({ from: 2, to: 8 }));
  expect(sent).toEqual([adapt({ from: 2, to: 8 })]);
});

it("are only drawn where the binary has failed, whatever it had last", async () => {
  draw([{}, {}]);
  say(3);
  endBinary("ads-server");
  show();
  fireEvent.submit(type("Count of pool models", "5").form!);
  await waitFor(() => expect(drawn()).toHaveLength(5));
  tick();
  await waitFor(() => expect(drawn()).toEqual({ from: 5, to: 20 }));
  tick();
  await waitFor(() => expect(drawn()).toHaveLength(5));
  expect(sent).toEqual([]);
});

it("are not asked for the wrong way round", async () => {
  draw({ from: 2, to: 8 });
  say(2, FOUR_AT_MOST);
  show();
  fireEvent.submit(type("Fewest threads of pool models", "9").form!);
  expect(await screen.findByText(/exchange the two/)).not.toBeNull();
  expect(sent).toEqual([]);
  expect(drawn()).toEqual({ from: 2, to: 8 });
});

it("say how many threads there are now, and who changed them", () => {
  draw({ from: 2, to: 4 });
  say(4, FOUR_AT_MOST);
  show();
  expect(screen.getByText("4 of 2 to 4, the most")).not.toBeNull();
  expect(screen.getByText("by itself · 3 steps")).not.toBeNull();
  expect(screen.queryByText(/At rest/)).toBeNull();
});

it("let their controller go to work again after a change by hand", async () => {
  draw({ from: 2, to: 4 });
  say(3, { ...FOUR_AT_MOST, on: false, by: "person", steps: 0 });
  show();
  expect(screen.getByText("by hand")).not.toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Let them come and go again" }));
  await waitFor(() => expect(sent).toEqual([adapt(true)]));
});

it("keep the threads that run when they are taken away", async () => {
  draw({ from: 2, to: 4 });
  say(3, FOUR_AT_MOST);
  show();
  tick();
  await waitFor(() => expect(drawn()).toEqual([{}, {}, {}]));
  expect(sent).toEqual([adapt(false)]);
});

it("are not for a pool with a pinned thread", () => {
  draw([{ cpus: [1] }, {}]);
  show();
  expect(
    screen.getByRole<HTMLButtonElement>("checkbox", { name: "Threads come and go with the work" }).disabled,
  ).toBe(true);
  expect(screen.getByText(/take the pins out first/)).not.toBeNull();
});
