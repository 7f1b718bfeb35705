import { emptyLayout, printTopology } from "@penstock/codegen/topology";
import { afterEach, expect, it, vi } from "vitest";
import { adsTopology } from "../../testing/ads.js";
import { follow, goTo, openedStore } from "./openProject.js";

const arranging = vi.hoisted(() => ({ end: (): void => undefined, begun: 0 }));
vi.mock("../../drawing/arrange/arrangeUnplaced.js", () => ({
  arrangeUnplaced: () =>
    new Promise<void>((resolve) => {
      arranging.begun += 1;
      arranging.end = resolve;
    }),
}));
const opened = () => openedStore.getState().opened.kind;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  history.replaceState(null, "", "/");
});

it("shows a drawing without places when it is arranged, or when that takes long, and not before", async () => {
  const document = {
    ...{ id: "p1", revision: "r1", topology: printTopology(adsTopology()), layout: emptyLayout() },
    ...{ readOnly: false, readOnlyReason: "", trusted: true },
  };
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.endsWith("/nodes") ? { nodes: [], problems: [] } : { ...document }),
  );
  history.replaceState(null, "", "/?project=p1");
  const quick = follow();
  await expect.poll(() => arranging.begun).toBe(1);
  expect(opened()).toBe("loading");
  arranging.end();
  await quick;
  expect(opened()).toBe("open");

  goTo(null);
  await expect.poll(opened).toBe("none");
  vi.useFakeTimers();
  history.replaceState(null, "", "/?project=p1");
  const slow = follow();
  await vi.waitFor(() => expect(arranging.begun).toBe(2), { timeout: 100_000 });
  expect(opened()).toBe("loading");
  await vi.advanceTimersByTimeAsync(3000);
  await slow;
  expect(opened()).toBe("open");
});
