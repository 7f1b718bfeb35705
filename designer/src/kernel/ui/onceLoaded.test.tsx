import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState, type ComponentType } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, it, vi } from "vitest";
import { Boundary } from "./Boundary.js";
import { onceLoaded } from "./onceLoaded.js";
import { TooltipProvider } from "./Tooltip.js";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("shows nothing, then what was loaded, with what it is given; shown again it is there at once", async () => {
  const Named = ({ name }: { name: string }) => <p>{`I am ${name}`}</p>;
  const load = vi.fn<() => Promise<typeof Named>>(() => Promise.resolve(Named));
  const Later = onceLoaded(load);
  const { container } = render(<Later name="a" />);
  expect(container.textContent).toBe("");
  expect(await screen.findByText("I am a")).toBeTruthy();
  cleanup();
  render(<Later name="b" />);
  expect(screen.getByText("I am b")).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
});

it("says that it cannot be loaded, and loads again when asked to", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  let there = false;
  const Later = onceLoaded(() =>
    there ? Promise.resolve(() => <p>there</p>) : Promise.reject(new Error("Loading chunk 7 failed")),
  );
  render(
    <TooltipProvider>
      <Boundary what="The chart">
        <Later />
      </Boundary>
    </TooltipProvider>,
  );
  await screen.findByText("The chart cannot be shown");
  there = true;
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("there")).toBeTruthy();
});

it("is drawn in one go, whatever changes beside it meanwhile", async () => {
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  // Each row takes as long as a frame, and something beside it changes then: here at most as often as tells.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  let tick: () => void = () => undefined;
  let begun = 0;
  const Row = ({ index }: { index: number }) => {
    if (index === 0) begun += 1;
    now += 20;
    if (begun < 5) queueMicrotask(tick);
    return <li>{index}</li>;
  };
  const Rows: ComponentType = () => [0, 1, 2, 3].map((index) => <Row key={index} index={index} />);
  const Later = onceLoaded(() => Promise.resolve(Rows));
  const Clock = () => {
    const [time, setTime] = useState(0);
    tick = () => setTime((before) => before + 1);
    return <time>{time}</time>;
  };
  root.render(
    <>
      <Clock />
      <Later />
    </>,
  );
  await vi.waitFor(() => expect(document.querySelectorAll("li")).toHaveLength(4), { timeout: 100_000 });
  expect(begun).toBe(1);
  root.unmount();
  vi.unstubAllGlobals();
});
