import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { documentStore, workbenchStore } from "../../kernel/document/index.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { open } from "../../testing/ads.js";
import { find as wantToFind } from "./search.js";
import { LeftPanel } from "./LeftPanel.js";

beforeEach(() => {
  open();
  // Which jsdom has not; nothing in these keys has to be escaped.
  vi.stubGlobal("CSS", { escape: (key: string) => key });
  render(<LeftPanel />, { wrapper: TooltipProvider });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const field = () => screen.getByRole("searchbox", { name: "Find in the project" });
const find = (words: string, key: string) => {
  fireEvent.change(field(), { target: { value: words } });
  fireEvent.keyDown(field(), { key });
};
const revealed = () => workbenchStore.getState().revealed;

it("goes to what was found on Enter, to what is called so first, then from one to the next", () => {
  find("ad", "Enter");
  expect(revealed()).toBe("message:Ad");
  find("getad", "Enter");
  expect([revealed(), documentStore.getState().selection]).toEqual([
    "stage:Impressions/pick",
    ["stage:Impressions/pick"],
  ]);
  fireEvent.change(field(), { target: { value: "d" } });
  const next = () => {
    fireEvent.keyDown(field(), { key: "Enter" });
    return revealed();
  };
  expect([next(), next()]).toEqual(["stage:Impressions/log", "service:ProduceAd"]);
});

it("stays where it is when nothing was found, or asked for", () => {
  const count = workbenchStore.getState().revealCount;
  find("nobody", "Enter");
  find("", "Enter");
  expect(workbenchStore.getState().revealCount).toBe(count);
});

it("enters the list at what was found first on Arrow down", () => {
  find("produce", "ArrowDown");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("ProduceAd");
});

it("is where a command leads to, with what was looked for before marked, and is left by a second Escape", () => {
  find("produce", "Enter");
  act(wantToFind);
  expect(document.activeElement).toBe(field());
  fireEvent.keyDown(field(), { key: "Escape" });
  expect(field()).toHaveProperty("value", "");
  expect(document.activeElement).toBe(field());
  fireEvent.keyDown(field(), { key: "Escape" });
  expect(document.activeElement).toBe(document.body);
});
