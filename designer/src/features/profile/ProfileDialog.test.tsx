import type { Profile } from "@penstock/codegen/contract";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { rename } from "../../kernel/document/edits/rename.js";
import { select } from "../../kernel/document/index.js";
import { followNames } from "../../kernel/live/followNames.js";
import { resetLive, takeSchema } from "../../kernel/live/liveStore.js";
import { ApiFailure } from "../../kernel/server/api.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { open } from "../../testing/ads.js";
import { schemaOf } from "../../testing/schemaOf.js";
import { profile as feature } from "./index.js";
import { closeProfile, openProfile } from "./profileActions.js";
import { ProfileDialog } from "./ProfileDialog.js";

const server = vi.hoisted(() => ({
  asked: [] as unknown[][],
  answer: (): Promise<unknown> => new Promise(() => undefined),
}));
vi.mock("../../kernel/server/api.js", async (original) => ({
  ...(await original<object>()),
  ask: (...words: unknown[]) => {
    server.asked.push(words);
    return words[0] === "profile" ? server.answer() : Promise.resolve({ cancelled: true });
  },
}));

const profile: Profile = {
  binary: "ads-server",
  processes: ["ads-server"],
  seconds: 3,
  samples: 100,
  owners: [
    { kind: "service", name: "GetAd", samples: 40 },
    { kind: "service", name: "LogAd", samples: 0 },
    { kind: "runtime", name: "", samples: 60 },
  ],
  names: ["front", "Worker::run", "GetAd::handle"],
  frames: [
    [-1, 0, 2, 100],
    [0, 1, 2, 90],
    [1, 2, 0, 40],
  ],
};

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true;
  };
  projectStore.setState({ ...closedProject, project: "p" });
  server.asked = [];
  resetLive();
  render(
    <TooltipProvider>
      <ProfileDialog />
    </TooltipProvider>,
  );
});
afterEach(() => {
  closeProfile();
  cleanup();
});

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const frames = () => [...document.querySelectorAll<HTMLElement>(".flame-frame")];

async function shown(service?: string): Promise<void> {
  server.answer = () => Promise.resolve(profile);
  openProfile({ binary: "ads-server", ...(service === undefined ? {} : { service }) });
  fireEvent.change(await screen.findByLabelText("Seconds to record"), { target: { value: "3" } });
  fireEvent.blur(screen.getByLabelText("Seconds to record"));
  press("Record");
  await screen.findByRole("img", { name: "Flame graph of ads-server" });
}

it("records for as long as is asked, and shows whose the time was", async () => {
  await shown();
  expect(server.asked).toEqual([
    ["profile", { project: "p" }, { body: { binary: "ads-server", seconds: 3 } }],
  ]);
  const shares = within(screen.getByRole("list", { name: "Shares of the CPU time" })).getAllByRole("button");
  expect(shares.map(({ textContent }) => textContent)).toEqual(["GetAd 40.0 %", "runtime 60.0 %"]);
  expect(frames().map(({ textContent }) => textContent)).toEqual(["front", "Worker::run", "GetAd::handle"]);
  expect(frames().filter(({ dataset }) => "dim" in dataset)).toEqual([]);
});

it("opened from a service, its frames stand out, and a click on a share chooses others", async () => {
  await shown("GetAd");
  const bright = () =>
    frames()
      .filter(({ dataset }) => !("dim" in dataset))
      .map(({ textContent }) => textContent);
  expect(bright()).toEqual(["GetAd::handle"]);
  press("runtime 60.0 %");
  expect(bright()).toEqual(["front", "Worker::run"]);
  press("runtime 60.0 %");
  expect(bright()).toHaveLength(3);
});

it("shows a frame over the whole width, and everything again", async () => {
  await shown();
  const width = (at: number) => frames()[at]?.style.width;
  expect(width(2)).toBe("40%");
  fireEvent.click(frames()[2]!);
  expect(width(2)).toBe("100%");
  press("Show all");
  expect(width(2)).toBe("40%");
});

it("says why nothing was recorded, and what helps", async () => {
  server.answer = () =>
    Promise.reject(
      new ApiFailure(503, "unavailable", "perf is not installed", "Install linux-perf", [], null),
    );
  openProfile({ binary: "ads-server" });
  await screen.findByLabelText("Seconds to record");
  press("Record");
  expect((await screen.findByRole("alert")).textContent).toBe("perf is not installed. Install linux-perf");
});

it("closed while it records, the recording is ended and its answer shown to nobody", async () => {
  let answer: (value: unknown) => void = () => undefined;
  server.answer = () => new Promise((resolve) => (answer = resolve));
  openProfile({ binary: "ads-server" });
  await screen.findByLabelText("Seconds to record");
  press("Record");
  expect((await screen.findByRole("status")).textContent).toContain("Recording for 10 s");
  expect(document.activeElement).toBe(document.querySelector(".profile"));
  press("Cancel");
  expect(server.asked.at(-1)).toEqual(["cancelProfile", { project: "p" }]);
  openProfile({ binary: "other" });
  answer(profile);
  await screen.findByLabelText("Seconds to record");
  expect(screen.queryByRole("img")).toBeNull();
});

it("records a renamed binary by the name that it runs by", async () => {
  open();
  onTestFinished(followNames());
  projectStore.setState({
    project: "p1",
    binaries: [{ binary: "ads-server", state: "running" }] as never,
  });
  takeSchema(schemaOf({}));
  rename("binary:ads-server", "server");
  select("binary:server");
  const [command] = feature.commands ?? [];
  expect(command?.when?.()).toBe(true);
  await command?.perform();
  await screen.findByLabelText("Seconds to record");
  press("Record");
  expect(server.asked).toEqual([
    ["profile", { project: "p1" }, { body: { binary: "ads-server", seconds: expect.any(Number) } }],
  ]);
});

it("opened from a renamed service, the frames of what it runs as stand out", async () => {
  open();
  onTestFinished(followNames());
  projectStore.setState({ project: "p1" });
  const services = [{ id: 1, name: "GetAd", kind: "simple", pool: 0, implementations: [] }];
  takeSchema(schemaOf({ topologyHash: "sha256:of-services", services }));
  rename("service:GetAd", "PickAd");
  await shown("PickAd");
  expect(screen.getByRole("button", { pressed: true }).textContent).toBe("GetAd 40.0 %");
});
