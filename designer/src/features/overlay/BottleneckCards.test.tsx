import { threadCount } from "@penstock/codegen/topology";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dispatch } from "../../kernel/connection/dispatch.js";
import { documentStore, undo, workbenchStore } from "../../kernel/document/index.js";
import { staysSound } from "../../kernel/problems/staysSound.js";
import { adsTopology, open } from "../../testing/ads.js";
import { twoBinaries } from "../../testing/twoBinaries.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { appliedStore } from "./appliedChanges.js";
import type { Bottleneck } from "../../kernel/live/bottleneck/bottleneck.js";
import { BottleneckCards } from "./BottleneckCards.js";
import { liveStore, resetLive, takeLost, takeSample, takeSchema } from "../../kernel/live/liveStore.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { sampleOf } from "../../testing/sampleOf.js";
import { schemaOf, threadsOf } from "../../testing/schemaOf.js";

const registered: unknown[] = [];
vi.mock("./cardPlaces.js", async (original) => ({
  ...(await original<typeof import("./cardPlaces.js")>()),
  registerCard: (_: string, element: HTMLElement | null) => registered.push(element),
}));

const sent: unknown[] = [];
vi.mock("../../kernel/connection/commands.js", () => ({
  sendCommand: async (binary: string, method: string, params: { threads: number }) => {
    sent.push([binary, method, params]);
    // A remedy is in force once the binary has told its threads; the page believes it for three seconds without.
    takeSchema(schema(params.threads));
    return { asked: params.threads, actual: params.threads };
  },
}));

const schema = (threads: number) =>
  schemaOf({
    startedAtMs: 1,
    pools: [{ id: 0, name: "models", queue: 1, threads: threadsOf(threads) }],
  });
const bottleneck: Bottleneck = {
  binary: "ads-server",
  pool: "models",
  services: ["ProduceAd"],
  stages: [],
  sinceMs: 7000,
  threads: 3,
  queueFill: 0.9,
  reason: "3 of 3 threads busy for 7 s, queue 90 % full.",
  useThreads: 41,
  how: "600/s × 58 ms = 35 busy on average, + 6 margin.",
  advice: "",
};
const resize = (count: number) => ["ads-server", "pool.resize", { pool: "models", threads: count }];
const drawn = () =>
  threadCount(
    documentStore.getState().topology.binaries[0]?.pools.find(({ name }) => name === "models")?.threads ?? [],
  );

beforeEach(() => {
  sent.length = registered.length = 0;
  open();
  resetLive();
  appliedStore.setState({ applied: [] });
  projectStore.setState({ ...closedProject, project: "p1" });
  takeSchema(schema(3));
});
afterEach(() => {
  cleanup();
  projectStore.setState(closedProject);
});

it("is about the way to another binary, beside a card of a pool, and offers no threads there", () => {
  const way = {
    ...bottleneck,
    pool: "",
    link: "models-server",
    useThreads: null,
    how: "",
    reason: "Calls wait.",
  };
  liveStore.setState({ bottlenecks: [bottleneck, way] });
  render(
    <TooltipProvider>
      <BottleneckCards />
    </TooltipProvider>,
  );
  const [pool, link] = screen.getAllByRole("alert");
  expect(pool?.textContent).toContain("Bottleneck: pool models");
  expect(link?.textContent).toContain("Bottleneck: calls to models-serverCalls wait.");
  expect(within(link!).getAllByRole("button")).toHaveLength(1);
  fireEvent.click(within(link!).getByRole("button", { name: "Hide" }));
  expect(screen.getByRole("alert")).toBe(pool);
});

it("keeps its place while its figures change", () => {
  liveStore.setState({ bottlenecks: [bottleneck] });
  render(
    <TooltipProvider>
      <BottleneckCards />
    </TooltipProvider>,
  );
  const card = screen.getByRole("alert");
  act(() => liveStore.setState({ bottlenecks: [{ ...bottleneck, reason: "3 of 3 threads busy for 9 s." }] }));
  expect(card.textContent).toContain("busy for 9 s");
  expect(registered).toEqual([card]);
});

const toModels: Bottleneck = {
  ...bottleneck,
  pool: "",
  link: "models-server",
  far: { pools: ["models"], processes: 1 },
  useThreads: null,
  how: "",
  reason: "Calls wait.",
};
/** What models run on in a binary of its own, which may have several processes. */
function openApart(control = "127.0.0.1:0") {
  const topology = twoBinaries();
  delete topology.binaries[1]!.replicas;
  topology.binaries[1]!.control = control;
  // A state that several processes would divide.
  topology.bundles[2]!.services = [];
  topology.bundles[0]!.services.push("LogAd");
  open(topology);
}
/** Once what the binary has told is shown, nothing else takes a card from there. */
async function figuresShown() {
  const { version } = liveStore.getState();
  takeSchema(schema(3));
  await vi.waitUntil(() => liveStore.getState().version > version, { timeout: 100_000 });
}
const models = () => documentStore.getState().topology.binaries[1]!;

it("leads from the way to another binary to the pool there, and draws one process more in one step", async () => {
  openApart();
  await act(figuresShown);
  liveStore.setState({ bottlenecks: [toModels] });
  render(<BottleneckCards />, { wrapper: TooltipProvider });
  const card = screen.getByRole("alert");
  fireEvent.click(await screen.findByRole("button", { name: "Use 2 processes" }));
  expect(models().replicas).toBe(2);
  expect(card.textContent).toContain("2 processes are drawn: Restart starts them.");
  expect(screen.queryByRole("button", { name: /processes$/ })).toBeNull();
  act(() => void undo());
  expect(models().replicas).toBeUndefined();
  fireEvent.click(screen.getByRole("button", { name: "Show pool models" }));
  expect(documentStore.getState().selection).toEqual(["pool:models-server/models"]);
  expect(workbenchStore.getState().view).toBe("threads");
  // Its figures are not known: as drawn.
  act(() => liveStore.setState({ bottlenecks: [{ ...toModels, far: { pools: [], processes: 1 } }] }));
  expect(screen.getByRole("button", { name: "Show pool models" })).toBeDefined();
});

it("offers no process more where the drawing forbids it", async () => {
  openApart("127.0.0.1:7500");
  const { topology } = documentStore.getState();
  const two = { ...topology, binaries: topology.binaries.map((one) => ({ ...one, replicas: 2 })) };
  expect(await staysSound(topology, two)).toBe(false);
  expect(await staysSound(topology, topology)).toBe(true);
  await act(figuresShown);
  liveStore.setState({ bottlenecks: [toModels] });
  render(<BottleneckCards />, { wrapper: TooltipProvider });
  await act(() => staysSound(topology, two));
  expect(screen.getAllByRole("button").map((one) => one.textContent)).toEqual(["Show pool models", ""]);
});

it("says how it came to its number, what it did after it was used, and takes it back", async () => {
  liveStore.setState({ bottlenecks: [bottleneck] });
  render(
    <TooltipProvider>
      <BottleneckCards />
    </TooltipProvider>,
  );
  const card = screen.getByRole("alert");
  expect(card.textContent).toContain("Bottleneck: pool models");
  expect(card.textContent).toContain(bottleneck.how);

  fireEvent.click(screen.getByRole("button", { name: "Use 41 threads" }));
  const after = await screen.findByText("Pool models: 3 → 41 threads");
  expect(sent).toEqual([resize(41)]);
  expect(drawn()).toBe(41);
  act(() => liveStore.setState({ bottlenecks: [] }));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(after.isConnected).toBe(true);

  fireEvent.click(screen.getByRole("button", { name: "Undo, use 3 threads" }));
  await waitFor(() => expect(sent).toEqual([resize(41), resize(3)]));
  expect(drawn()).toBe(3);
  await waitFor(() => expect(screen.queryByText(/→/)).toBeNull());
});

it("asks nothing of a binary that is lost, and says why, until it is back", async () => {
  const shown = async (change: () => void) => {
    const { version } = liveStore.getState();
    change();
    await vi.waitUntil(() => liveStore.getState().version > version, { timeout: 100_000 });
    liveStore.setState({ bottlenecks: [bottleneck] });
  };
  render(<BottleneckCards />, { wrapper: TooltipProvider });
  await act(() => shown(() => takeLost("ads-server")));
  const why = "The connection to ads-server is lost: it takes no change until it is back.";
  const use = () => screen.getByRole<HTMLButtonElement>("button", { name: "Use 41 threads" });
  expect([use().disabled, use().title]).toEqual([true, why]);
  expect(screen.getByRole("alert").textContent).toContain(why);

  await act(() => shown(() => takeSample("ads-server", sampleOf(100))));
  expect(screen.getByRole("alert").textContent).not.toContain(why);
  fireEvent.click(use());
  const undoing = await screen.findByRole<HTMLButtonElement>("button", { name: "Undo, use 3 threads" });
  await act(() => shown(() => takeLost("ads-server")));
  expect([undoing.disabled, undoing.title]).toEqual([true, why]);
});

const ofThread = (place?: Bottleneck["place"]): Bottleneck => ({
  ...bottleneck,
  thread: 2,
  threads: 1,
  useThreads: null,
  reason: "Busy for 7 s while the other 2 threads of models are busy 4 % of the time, queue 90 % full.",
  ...(place ? { place } : {}),
});
const placement = () => documentStore.getState().topology.binaries[0]?.placement["ProduceAd"];

it("names a full thread of a pool, and places what holds it elsewhere on the drawing, which a restart builds", () => {
  const topology = adsTopology();
  topology.binaries[0]!.placement["ProduceAd"] = { pool: "models", thread: 2 };
  open(topology);
  liveStore.setState({ bottlenecks: [ofThread({ service: "ProduceAd" })] });
  render(<BottleneckCards />, { wrapper: TooltipProvider });
  const card = screen.getByRole("alert");
  expect(card.textContent).toContain("Bottleneck: thread models·2");
  expect(screen.queryByRole("button", { name: /^Use/ })).toBeNull();

  fireEvent.click(screen.getByRole("button", { name: "Place on all of models" }));
  expect(placement()).toEqual({ pool: "models" });
  expect(sent).toEqual([]);
  // What runs is as it was until then.
  expect(card.textContent).toContain("Restart builds what is drawn");
  expect(screen.queryByRole("button", { name: /^Place/ })).toBeNull();
  act(() => void undo());
  act(() => liveStore.setState({ bottlenecks: [ofThread({ service: "ProduceAd", thread: 0 })] }));
  fireEvent.click(screen.getByRole("button", { name: "Place on models·0" }));
  expect(placement()).toEqual({ pool: "models", thread: 0 });
});

it("has a card for each full thread of a pool, and hides one of them alone", () => {
  liveStore.setState({ bottlenecks: [ofThread(), { ...ofThread(), thread: 0 }] });
  render(<BottleneckCards />, { wrapper: TooltipProvider });
  const titles = () => screen.getAllByRole("alert").map((card) => card.querySelector("strong")?.textContent);
  expect(titles()).toEqual(["Bottleneck: thread models·2", "Bottleneck: thread models·0"]);
  fireEvent.click(screen.getAllByRole("button", { name: "Hide" })[0]!);
  expect(titles()).toEqual(["Bottleneck: thread models·0"]);
});

it.each(["stopped", "crashed", "failed"] as const)("goes once what it was done to has %s", async (state) => {
  liveStore.setState({ bottlenecks: [bottleneck] });
  render(<BottleneckCards />, { wrapper: TooltipProvider });
  fireEvent.click(screen.getByRole("button", { name: "Use 41 threads" }));
  const card = await screen.findByText("Pool models: 3 → 41 threads");
  const status = { binary: "ads-server", detail: "", pid: null, control: null, http: null };
  const binaries = [{ ...status, state, startedAtMs: null, restarts: 0, topologyHash: null }];
  const { version } = liveStore.getState();
  act(() => {
    dispatch({ type: "live-lost", project: "p1", binary: "ads-server", lastMs: 0 });
    dispatch({ type: "binaries", project: "p1", binaries });
  });
  await act(() => vi.waitUntil(() => liveStore.getState().version > version, { timeout: 100_000 }));
  expect(card.isConnected).toBe(false);
  expect(screen.queryByRole("button")).toBeNull();
});
