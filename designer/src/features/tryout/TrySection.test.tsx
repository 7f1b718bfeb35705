import type { ServiceCall, ServiceCallEnd, SourceFile } from "@penstock/codegen/contract";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { documentStore, setView, workbenchStore } from "../../kernel/document/index.js";
import { setSourceFiles } from "../../kernel/document/unwritten.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { ApiFailure } from "../../kernel/server/api.js";
import { rename } from "../../kernel/document/edits/rename.js";
import { followNames } from "../../kernel/live/followNames.js";
import { resetLive, takeSchema } from "../../kernel/live/liveStore.js";
import { adsTopology, open } from "../../testing/ads.js";
import { schemaOf } from "../../testing/schemaOf.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { tryLine } from "./tryStore.js";
import { TrySection } from "./TrySection.js";

const asked: [string, string, ServiceCall][] = [];
let end: ServiceCallEnd | Error | Promise<ServiceCallEnd>;
vi.mock("../../kernel/server/api.js", async (original) => ({
  ...(await original<object>()),
  ask: async (
    route: string,
    { project, binary }: { project: string; binary: string },
    { body }: { body: ServiceCall } = { body: { service: "", request: "" } },
  ) => {
    if (route === "triedCalls")
      return { GetAd: [{ at: 1, request: '{"cookie":"old"}', end: { tookMs: 3, answer: { score: 0.5 } } }] };
    asked.push([project, binary, body]);
    if (end instanceof Error) throw end;
    return end;
  },
}));

const show = () => {
  const service = adsTopology().services[0]!;
  return render(
    <TooltipProvider>
      <TrySection service={service} />
    </TooltipProvider>,
  );
};
const send = () => screen.getByText<HTMLButtonElement>("Send");
/** What comes of a promise: no matter how busy the machine is. */
const PATIENT = { timeout: 100_000 };
const shown = (text: string) => screen.findByText(text, {}, PATIENT);
const cookie = () => screen.getByLabelText<HTMLInputElement>("cookie");

let project = 0;
beforeEach(() => {
  asked.length = 0;
  end = { tookMs: 1.25, answer: { score: 1 } };
  open();
  setView("flow");
  const binary = { binary: "ads-server", state: "running" };
  projectStore.setState({ ...closedProject, project: `p${++project}`, binaries: [binary] as never });
});
afterEach(() => {
  cleanup();
  projectStore.setState(closedProject);
});

it("asks the running binary with what the form holds, and shows its answer and the time", async () => {
  show();
  fireEvent.change(cookie(), { target: { value: "abc" } });
  fireEvent.keyDown(cookie(), { key: "Enter", ctrlKey: true });
  expect(await shown("Answered in 1.3 ms")).not.toBeNull();
  expect(screen.getByLabelText("Answer").textContent).toBe('{\n  "score": 1\n}');
  expect(asked).toEqual([[`p${project}`, "ads-server", { service: "GetAd", request: '{"cookie": "abc"}' }]]);
});

it("asks a renamed service by the name that it runs by", async () => {
  onTestFinished(followNames());
  onTestFinished(resetLive);
  projectStore.setState({ project: "p1" });
  takeSchema(
    schemaOf({ services: [{ id: 0, name: "GetAd", kind: "simple", pool: 0, implementations: [] }] }),
  );
  rename("service:GetAd", "PickAd");
  const service = documentStore.getState().topology.services[0]!;
  render(
    <TooltipProvider>
      <TrySection service={service} />
    </TooltipProvider>,
  );
  fireEvent.click(send());
  expect(await shown("Answered in 1.3 ms")).not.toBeNull();
  expect([service.name, asked[0]?.[2].service]).toEqual(["PickAd", "GetAd"]);
});

it("says that what runs is of an earlier drawing, which may not have what is asked", () => {
  const binary = { binary: "ads-server", state: "running", topologyHash: "sha256:before" };
  // The server has not seen the edit yet.
  projectStore.setState({ topologyHash: "sha256:before", binaries: [binary] as never });
  show();
  expect(screen.getByText("to ads-server of an earlier drawing: Restart builds this one")).not.toBeNull();
});

it("shows the way that the call took, with whom it asked in turn", async () => {
  const trace: ServiceCallEnd["trace"] = [
    [null, "GetAd", "", "front·0", 0, 40, 1200, 0],
    [0, "ProduceAd", "ModelB", "models·1", 100, 20, 900, 1],
    [0, "ProduceAd", "ModelA", "", 100, null, null, 0],
  ];
  end = { tookMs: 1.25, answer: { score: 1 }, trace };
  show();
  fireEvent.click(send());
  const table = await screen.findByRole("table", { name: "Trace" }, PATIENT);
  expect([...table.querySelectorAll(".waterfall-row")].map((row) => row.textContent)).toEqual([
    "GetAdfront·040 µs1.2 ms",
    "ModelBmodels·1failed20 µs900 µs",
    "ModelAnot begun…–",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "ProduceAd · ModelB" }));
  expect(documentStore.getState().selection).toEqual(["service:ProduceAd"]);
});

it("shows the error of a service, and the reason why none was asked", async () => {
  end = { tookMs: 100, error: { code: "deadline_exceeded", message: "not answered" } };
  show();
  fireEvent.click(send());
  expect(await shown("deadline_exceeded")).not.toBeNull();
  await waitFor(() => expect(send().disabled).toBe(false), PATIENT);
  end = new ApiFailure(422, "refused", "this binary was built before", "Build it again.", [], null);
  fireEvent.click(send());
  expect(await shown("this binary was built before")).not.toBeNull();
  expect(screen.getByText("Build it again.")).not.toBeNull();
});

it("leads to the handler that is not written yet, as long as it is not", async () => {
  const file = { id: "f", path: "src/services/produce_ad.cpp", node: "service:ProduceAd", owner: "user" };
  const written = (is: boolean) => act(() => setSourceFiles([{ ...file, written: is } as SourceFile]));
  written(false);
  end = { tookMs: 1, error: { code: "unimplemented", message: "ProduceAd is not written yet" } };
  show();
  fireEvent.click(send());
  fireEvent.click(await shown("Write ProduceAd"));
  expect([workbenchStore.getState().view, documentStore.getState().selection]).toEqual([
    "code",
    ["service:ProduceAd"],
  ]);
  written(true);
  expect(screen.queryByText("Write ProduceAd")).toBeNull();
});

it("shows nothing in the next project of what was asked in the one before", async () => {
  let answer!: (end: ServiceCallEnd) => void;
  end = new Promise((resolve) => (answer = resolve));
  show();
  await screen.findByLabelText("Ask again", {}, PATIENT);
  fireEvent.click(send());
  await waitFor(() => expect(asked).toHaveLength(1), PATIENT);
  cleanup();
  projectStore.setState({ project: `p${++project}` });
  show();
  const again = await screen.findByLabelText<HTMLSelectElement>("Ask again", {}, PATIENT);
  const offered = again.options.length;
  expect(send().disabled).toBe(false);
  await act(async () => answer({ tookMs: 7, answer: { score: 1 } }));
  expect(screen.queryByLabelText("Answer")).toBeNull();
  expect(again.options).toHaveLength(offered);
});

it("offers again what was asked before, with how it ended", async () => {
  show();
  const again = await screen.findByLabelText("Ask again", {}, PATIENT);
  fireEvent.change(again, { target: { value: "0" } });
  expect(cookie().value).toBe("old");
  expect(screen.getByText("Answered in 3.0 ms")).not.toBeNull();
});

it("says that something has to run first", () => {
  projectStore.setState({ binaries: [] });
  show();
  expect(send().disabled).toBe(true);
  expect(screen.getByText("Nothing that serves it runs: press Run first.")).not.toBeNull();
  fireEvent.submit(cookie().form!);
  expect(asked).toEqual([]);
});

it("is opened by the menu of a node, with the cursor in its first field", async () => {
  const line = tryLine("GetAd", "service:GetAd");
  if (typeof line === "object" && "perform" in line) line.perform();
  expect(documentStore.getState().selection).toEqual(["service:GetAd"]);
  show();
  await waitFor(() => expect(document.activeElement).toBe(cookie()), PATIENT);
});
