import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type * as names from "./renamedSince.js";

/** A tab of the browser: what it has read itself, and the storage of them all. */
const openTab = async (): Promise<typeof names> => {
  vi.resetModules();
  return import("./renamedSince.js");
};
/** What the browser tells the other tabs of. */
const tellOthers = () => dispatchEvent(new StorageEvent("storage", { key: "penstock.renamed" }));
const CHANGE = { ref: "service:A", to: "B" };
const stops: (() => void)[] = [];

beforeEach(() => localStorage.clear());
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.restoreAllMocks();
});

it("keeps what another tab has renamed when this one writes", async () => {
  const [one, other] = [await openTab(), await openTab()];
  one.drawnIs("p", "sha256:built");
  expect(other.renamedSince("p", "sha256:built")).toEqual([]);
  one.addRenames("p", [CHANGE]);
  other.drawnIs("p", "sha256:next");
  expect((await openTab()).renamedSince("p", "sha256:built")).toEqual([CHANGE]);
});

it("takes what another tab knows of a model that this one sees for the first time", async () => {
  const [one, other] = [await openTab(), await openTab()];
  other.renamedSince("p", "sha256:before");
  one.drawnIs("p", "sha256:built");
  one.addRenames("p", [CHANGE]);
  expect(other.renamedSince("p", "sha256:built")).toEqual([CHANGE]);
});

it("hears of what another tab has renamed", async () => {
  const [one, other] = [await openTab(), await openTab()];
  one.drawnIs("p", "sha256:built");
  other.renamedSince("p", "sha256:built");
  const heard = vi.fn<() => void>();
  stops.push(other.onOtherRenames(heard));
  one.addRenames("p", [CHANGE]);
  tellOthers();
  expect(heard).toHaveBeenCalledTimes(1);
  expect(other.renamedSince("p", "sha256:built")).toEqual([CHANGE]);
});

it("keeps those of a model that runs, however much is drawn since, here and in other projects", async () => {
  const tab = await openTab();
  tab.drawnIs("p", "sha256:built");
  tab.addRenames("p", [CHANGE]);
  for (let at = 0; at < 100; at++) {
    tab.renamedSince("p", "sha256:built");
    tab.drawnIs("p", `sha256:${at}`);
  }
  const other = await openTab();
  for (let at = 0; at < 100; at++) other.drawnIs("q", `sha256:${at}`);
  const later = await openTab();
  expect(later.renamedSince("p", "sha256:built")).toEqual([CHANGE]);
  // Each saved drawing is one more: not all are kept.
  expect((JSON.parse(localStorage.getItem("penstock.renamed")!) as unknown[]).length).toBeLessThan(70);
});

it("is known for as long as the page lives where nothing can be stored", async () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  const tab = await openTab();
  tab.drawnIs("p", "sha256:built");
  tab.addRenames("p", [CHANGE]);
  tab.drawnIs("p", "sha256:next");
  expect(tab.renamedSince("p", "sha256:built")).toEqual([CHANGE]);
});
