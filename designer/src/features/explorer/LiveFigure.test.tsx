import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { LiveFigure } from "./LiveFigure.js";
import type { Bottleneck } from "../../kernel/live/bottleneck/bottleneck.js";
import { liveStore } from "../../kernel/live/liveStore.js";

const figure = vi.hoisted(() => ({ rate: 5, asked: new Set<string>(), pools: new Map<string, object>() }));
vi.mock("../../kernel/live/liveStore.js", async (original) => ({
  ...(await original<typeof import("../../kernel/live/liveStore.js")>()),
  trackOfService: (name: string) => {
    figure.asked.add(name);
    return {
      services: new Map([[name, { figures: { rate: figure.rate, pool: "p" } }]]),
      pools: figure.pools,
    };
  },
  staleMs: () => 0,
}));

afterEach(() => {
  liveStore.setState({ bottlenecks: [] });
  // What is asked of this test's pictures is not to wait for them in the next.
  picture();
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  figure.pools.clear();
});

const pictures: (() => void)[] = [];
const picture = () => {
  for (const draw of pictures.splice(0)) draw();
};

it("writes the figures that are on the screen, without an observer of each", () => {
  const observed = vi.fn<() => void>();
  vi.stubGlobal("IntersectionObserver", observed);
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => pictures.push(draw));
  let scrolled = 0;
  Element.prototype.checkVisibility = () => true;
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    const top = Number(this.parentElement?.dataset["top"]) - scrolled;
    return { top, bottom: top + 20 } as DOMRect;
  });
  const rows = Array.from({ length: 200 }, (_, row) => (
    <p key={row} data-top={row * 26}>
      <LiveFigure nodeRef={`service:S${row}`} />
    </p>
  ));
  liveStore.setState({ binaries: ["one"] });
  const { container } = render(rows);
  picture();
  const shown = Math.ceil((innerHeight + 1) / 26);
  expect([...figure.asked]).toEqual(Array.from({ length: shown }, (_, row) => `S${row}`));

  figure.asked.clear();
  scrolled = 100 * 26;
  container.dispatchEvent(new Event("scroll"));
  picture();
  expect(figure.asked.has("S100")).toBe(true);
  expect(figure.asked.has("S0")).toBe(false);

  // Nothing runs any more: also what is out of sight.
  figure.asked.clear();
  liveStore.setState({ binaries: [] });
  picture();
  expect(figure.asked.size).toBe(200);
  expect(observed).not.toHaveBeenCalled();
});

it("says of what holds one thread how busy that is, of what holds a pool how busy all of it", () => {
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => pictures.push(draw));
  Element.prototype.checkVisibility = () => true;
  const threads = [0.02, 0.06, 1].map((busy) => ({ busy }));
  figure.pools.set("p", { figures: { load: 0.36, queued: 160, queue: 900, threads } });
  const late = { binary: "b", pool: "p" };
  const bottlenecks = [
    { ...late, services: ["One"], thread: 2 },
    { ...late, services: ["All"] },
  ] as Bottleneck[];
  liveStore.setState({ bottlenecks });
  const { container } = render(
    ["One", "All"].map((name) => <LiveFigure key={name} nodeRef={`service:${name}`} />),
  );
  picture();
  expect([...container.children].map(({ textContent }) => textContent)).toEqual(["100 %", "36 %"]);
});
