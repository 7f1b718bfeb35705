import type { BinaryStatus } from "@penstock/codegen/contract";
import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { takeSchema } from "../../kernel/live/liveStore.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { schemaOf } from "../../testing/schemaOf.js";
import { useLoadableFlows } from "./useLoadableFlows.js";

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
