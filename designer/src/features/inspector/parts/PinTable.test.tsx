import type { Status } from "@penstock/codegen/contract";
import { threadList } from "@penstock/codegen/topology";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { connectionStore } from "../../../kernel/connection/connection.js";
import { documentStore } from "../../../kernel/document/index.js";
import type { PoolFigures } from "../../../kernel/live/figures/figures.js";
import { toasts } from "../../../kernel/ui/toast.js";
import { open } from "../../../testing/ads.js";
import { PinTable } from "./PinTable.js";

const before = connectionStore.getState();
afterEach(() => {
  cleanup();
  connectionStore.setState(before);
});

const models = () =>
  documentStore.getState().topology.binaries[0]!.pools.find(({ name }) => name === "models")!;
const drawn = () => threadList(models().threads).map(({ cpus }) => cpus);
const running = { threads: [{ actual: [1] }, { actual: [0, 1] }, { actual: [0, 1] }] } as PoolFigures;

function show(figures: PoolFigures | null) {
  open();
  const machine = { cpus: [0, 1].map((id) => ({ id, core: id, node: 0 })) };
  connectionStore.setState({ phase: { kind: "ready", status: { machine } as Status } });
  render(<PinTable binary="ads-server" pool={models()} figures={figures} />);
  return screen.getByRole<HTMLInputElement>("textbox", { name: "CPUs of models·0" });
}

function leaveWith(field: HTMLInputElement, text: string) {
  fireEvent.change(field, { target: { value: text } });
  fireEvent.blur(field);
}

it("keeps what is no list of CPUs as it was typed, with what one is, as other fields do", () => {
  const field = show(null);
  leaveWith(field, "one");
  expect([field.value, field.getAttribute("aria-invalid")]).toEqual(["one", "true"]);
  expect(screen.getByText(/^Write 0, 0-3 or 1, 4/)).toBeDefined();
  expect([drawn()[0], toasts.getState().list]).toEqual([[1], []]);
});

it("says of what runs here which CPUs the machine does not have, and draws any for another machine", async () => {
  const field = show(running);
  leaveWith(field, "0-99");
  expect(field.value).toBe("0-99");
  expect(screen.getByText("This machine has no CPU 2-99, it has 0-1.")).toBeDefined();
  expect(drawn()[0]).toEqual([1]);
  cleanup();
  leaveWith(show(null), "2-3");
  await waitFor(() => expect(drawn()[0]).toEqual([2, 3]));
});
