import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { documentStore } from "../../../kernel/document/index.js";
import { structureOf } from "../../../kernel/run/pendingLive.js";
import { open } from "../../../testing/ads.js";
import { TooltipProvider } from "../../../kernel/ui/index.js";
import { BinaryInspector } from "./BinaryInspector.js";

const topology = () => documentStore.getState().topology;
const binary = () => topology().binaries[0]!;
const field = () => screen.getByLabelText<HTMLInputElement>("Report a handler after");
const type = (text: string): void => void fireEvent.change(field(), { target: { value: text } });
const enter = (): void => void fireEvent.keyDown(field(), { key: "Enter" });

beforeEach(() => {
  open();
  render(<BinaryInspector name="ads-server" />, { wrapper: TooltipProvider });
});
afterEach(cleanup);

it("sets the limit of the watchdog, which shows its default while it has none", () => {
  expect([field().value, field().placeholder]).toEqual(["", "5000"]);
  const before = structureOf(topology());
  for (const limit of [0, 3_600_000]) {
    type(String(limit));
    enter();
    expect(binary().watchdogMs).toBe(limit);
  }
  // As its tag says.
  expect(structureOf(topology())).not.toBe(before);
  type("");
  enter();
  expect(Object.hasOwn(binary(), "watchdogMs")).toBe(false);
});

it.each([
  ["-1", "Must be 0 to 3600000"],
  ["3600001", "Must be 0 to 3600000"],
  ["0.5", "Type a whole number"],
])("takes no %s as the limit of the watchdog, and says why", (text, why) => {
  type(text);
  expect(screen.getByText(why)).not.toBeNull();
  enter();
  expect(binary().watchdogMs).toBeUndefined();
});
