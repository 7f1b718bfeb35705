import {
  LOAD_DEFAULTS,
  type BinaryStatus,
  type LoadReport,
  type LoadRequest,
} from "@penstock/codegen/contract";
import { renderHook } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { rename } from "../../kernel/document/edits/rename.js";
import { followNames } from "../../kernel/live/followNames.js";
import { resetLive, takeSchema } from "../../kernel/live/liveStore.js";
import { loadedFlow } from "../../kernel/run/loadedFlow.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { open } from "../../testing/ads.js";
import { schemaOf } from "../../testing/schemaOf.js";
import { startLoad } from "./loadActions.js";
import { targetWords } from "./loadWords.js";
import { useLoadableFlows } from "./useLoadableFlows.js";

const asked: LoadRequest[] = [];
vi.mock("../../kernel/server/api.js", async (original) => ({
  ...(await original<object>()),
  ask: async (_: string, __: object, { body }: { body: LoadRequest }) => void asked.push(body),
}));
beforeEach(resetLive);

test("offers flows of a project's own source that has a rate, and none that only follows what comes", () => {
  const flow = (name: string, kind: string, perSecond: number | null) => ({
    id: 0,
    name,
    source: { kind, perSecond },
    stages: [],
  });
  const flows = [
    flow("Ticks", "rate", 40),
    flow("Ticker", "market-ticker", 5),
    flow("Clicks", "http", null),
    flow("Lines", "file", 100),
  ];
  const app = { binary: "app", state: "running" } as BinaryStatus;
  projectStore.setState({ ...closedProject, project: "p", binaries: [app] });
  takeSchema(schemaOf({ binary: "app", flows }));
  expect(renderHook(useLoadableFlows).result.current).toEqual([
    { binary: "app", flow: "Ticks" },
    { binary: "app", flow: "Ticker" },
  ]);
});

test("offers a renamed flow of a renamed binary as they are drawn, and loads it by the names that they run by", async () => {
  open();
  onTestFinished(followNames());
  projectStore.setState({ project: "p1", binaries: [{ binary: "ads-server", state: "running" }] as never });
  const flows = [{ id: 0, name: "Impressions", source: { kind: "rate", perSecond: 200 }, stages: [] }];
  takeSchema(schemaOf({ flows }));
  rename("binary:ads-server", "server");
  rename("flow:Impressions", "Views");
  const [found] = renderHook(useLoadableFlows).result.current;
  expect(found).toEqual({ binary: "server", flow: "Views" });

  await startLoad({ target: { kind: "flow", ...found! }, settings: LOAD_DEFAULTS });
  const target = { kind: "flow", binary: "ads-server", flow: "Impressions" } as const;
  expect(asked).toEqual([{ target, settings: LOAD_DEFAULTS }]);
  const report = { target, seconds: [] } as unknown as LoadReport;
  projectStore.setState({ load: { phase: "loading", report, problems: [] } });
  expect([loadedFlow(projectStore.getState()), targetWords(report)]).toEqual(["Views", "Views"]);
});
