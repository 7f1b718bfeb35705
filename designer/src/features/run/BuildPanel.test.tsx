import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { BuildPanel } from "./BuildPanel.js";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  projectStore.setState(closedProject);
});

it("shows the first error in the log of a failed build, not its last lines", () => {
  const error = "src/services/get_ad.cpp:15:3: error: no member named 'Price'";
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    return { top: this.textContent === error ? 340 : 40 } as DOMRect;
  });
  projectStore.setState({
    ...closedProject,
    build: { ...closedProject.build, phase: "failed" },
    output: ["[1/9] Building CXX object", error, `${error} again`, "ninja: build stopped"],
  });
  render(<BuildPanel />);
  expect(screen.getByText(error).parentElement?.scrollTop).toBe(300);
});
