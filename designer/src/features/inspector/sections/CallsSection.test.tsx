import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { documentStore } from "../../../kernel/document/index.js";
import { adsTopology, open } from "../../../testing/ads.js";
import { Toasts, TooltipProvider } from "../../../kernel/ui/index.js";
import { CallsSection } from "./CallsSection.js";

const copied: string[] = [];
beforeEach(() => {
  copied.length = 0;
  Object.defineProperty(navigator, "clipboard", {
    configurable: true,
    value: { writeText: async (text: string) => void copied.push(text) },
  });
  open(adsTopology());
});
afterEach(() => {
  cleanup();
  Reflect.deleteProperty(navigator, "clipboard");
});

it("shows each call as the C++ that makes it, to be copied", async () => {
  render(
    <TooltipProvider>
      <CallsSection service={documentStore.getState().topology.services[0]!} />
      <Toasts />
    </TooltipProvider>,
  );
  const line = "const auto answer = co_await calls.ProduceAd(request);";
  expect(screen.queryByText(line)).not.toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Copy the C++ of the call to ProduceAd" }));
  await waitFor(() => expect(screen.queryByText("Copied: paste it into the handler")).not.toBeNull());
  expect(copied).toEqual([line]);
});
