import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { poolChip, type Chip } from "../../../drawing/queries/chips.js";
import { resetLive, takeSchema } from "../../../kernel/live/liveStore.js";
import { adsTopology } from "../../../testing/ads.js";
import { schemaOf, threadsOf } from "../../../testing/schemaOf.js";
import { PlaceBadge } from "./PlaceBadge.js";

const topology = adsTopology();
const chipOf = (name: string): Chip =>
  poolChip(
    topology,
    topology.services.find((service) => service.name === name)!,
  )!;
const run = (threads: number) =>
  act(() =>
    takeSchema(schemaOf({ pools: [{ id: 1, name: "models", queue: 100, threads: threadsOf(threads) }] })),
  );

beforeEach(resetLive);
afterEach(cleanup);

it("says on how many threads a pool runs, and how many are drawn where that is another number", () => {
  run(3);
  render(<PlaceBadge chip={chipOf("ProduceAd")} />);
  expect(screen.getByText("models ×3").title).toBe("");
  cleanup();
  run(7);
  render(<PlaceBadge chip={chipOf("ProduceAd")} />);
  expect(screen.getByText("models ×7").title).toBe("Drawn: models ×3");
  act(resetLive);
  expect(screen.getByText("models ×3").title).toBe("");
});

it("says the thread that a service is placed on, however many there are", () => {
  topology.binaries[0]!.placement["ProduceAd"] = { pool: "models", thread: 2 };
  const chip = chipOf("ProduceAd");
  run(7);
  render(<PlaceBadge chip={chip} />);
  expect(screen.getByText("models·2").title).toBe("");
});
