import type { FinalConnectionState } from "@xyflow/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PORTS } from "../../kernel/document/canvasRefs.js";
import { documentStore } from "../../kernel/document/index.js";
import { nodeOfService } from "../../kernel/document/edits/flows.js";
import { dismissToasts, toasts } from "../../kernel/ui/toast.js";
import { open } from "../../testing/ads.js";
import { finishLine } from "./finishLine.js";

const said = () => toasts.getState().list.map(({ title }) => title);
/** A line from the lower edge of one service is let go over another one. */
function call(from: string, to: string): void {
  const { topology } = documentStore.getState();
  const state = {
    isValid: false,
    fromNode: { id: nodeOfService(topology, from) },
    fromHandle: { id: PORTS.callOut, type: "source" },
    toNode: { id: nodeOfService(topology, to) },
    toHandle: null,
  } as unknown as FinalConnectionState;
  finishLine(new MouseEvent("mouseup"), state, (at) => at);
}

beforeEach(() => {
  vi.useFakeTimers();
  open();
});
afterEach(() => {
  dismissToasts();
  vi.useRealTimers();
});

it("goes on saying why a line was refused, of the last one, until one is drawn", () => {
  call("ProduceAd", "GetAd");
  expect(said()).toEqual([expect.stringContaining("would block its thread while it waits for itself")]);
  vi.advanceTimersByTime(60_000);
  expect(said()).toHaveLength(1);
  call("ProduceAd", "ProduceAd");
  call("ProduceAd", "CountError");
  expect(documentStore.getState().topology.services[1]?.calls).toEqual(["CountError"]);
  expect(said()).toEqual([]);
});
