import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { documentStore } from "../../../kernel/document/index.js";
import { resetLive, takeSchema } from "../../../kernel/live/liveStore.js";
import { open } from "../../../testing/ads.js";
import { Toasts, TooltipProvider } from "../../../kernel/ui/index.js";
import { BinaryInspector } from "../kinds/BinaryInspector.js";
import { schemaOf } from "../../../testing/schemaOf.js";

const sent: unknown[] = [];
let refused = false;
vi.mock("../../../kernel/connection/commands.js", () => ({
  sendCommand: async (binary: string, method: string, params: unknown) => {
    if (refused) throw new Error("not now");
    sent.push([binary, method, params]);
  },
}));

const say = (sampling: number): void => takeSchema(schemaOf({ sampling }));
const field = () => screen.queryByLabelText<HTMLInputElement>("Sampled events of 128");
const show = () =>
  render(
    <TooltipProvider>
      <BinaryInspector name="ads-server" />
      <Toasts />
    </TooltipProvider>,
  );
const ask = (text: string): void => {
  const input = field()!;
  fireEvent.change(input, { target: { value: text } });
  fireEvent.blur(input);
  fireEvent.submit(input.form!);
};

beforeEach(() => {
  sent.length = 0;
  refused = false;
  resetLive();
  open();
});
afterEach(cleanup);

it("is there while the binary runs, and shows what it says", async () => {
  show();
  expect(field()).toBeNull();
  await waitFor(() => {
    act(() => say(3));
    expect(field()?.value).toBe("3");
  });
});

it("is applied to what runs, leaves the drawing as it is, and follows what the binary then says", async () => {
  say(3);
  show();
  const { topology } = documentStore.getState();
  ask("0");
  await waitFor(() => expect(sent).toEqual([["ads-server", "sampling.set", { per128: 0 }]]));
  expect(documentStore.getState().topology).toBe(topology);
  await waitFor(() => {
    act(() => say(7));
    expect(field()?.value).toBe("7");
  });
});

it("says why it was refused, and shows what is in force again", async () => {
  say(3);
  show();
  refused = true;
  ask("128");
  expect(await screen.findByText("not now")).not.toBeNull();
  await waitFor(() => expect(field()?.value).toBe("3"));
});

it("asks for nothing out of range", async () => {
  say(3);
  show();
  ask("129");
  await waitFor(() => expect(sent).toEqual([["ads-server", "sampling.set", { per128: 3 }]]));
});
