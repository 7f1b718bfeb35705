import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Problem } from "@penstock/codegen/diagnostics";
import { adsTopology } from "../testing/ads.js";
import { compose, contributed, quickFixes, type Feature } from "./feature.js";
import { Sections } from "./Sections.js";

afterEach(() => {
  cleanup();
  compose([]);
});

const fixing = (name: string): Feature => ({
  name,
  fixes: ({ code }) => [{ label: `${name} mends ${code}`, perform: () => {} }],
  sections: { binary: ({ binary }) => <p>{`${name} of ${binary}`}</p> },
});

it("gives what features bring in the order in which they are composed", () => {
  compose([{ name: "nothing" }, fixing("a"), fixing("b")]);
  expect(contributed("sections")).toHaveLength(2);
  const problem = { code: "PS1" } as Problem;
  expect(quickFixes(problem, adsTopology()).map(({ label }) => label)).toEqual([
    "a mends PS1",
    "b mends PS1",
  ]);
});

it("shows the sections of features in the place they are for, and nothing in the others", () => {
  compose([fixing("a"), fixing("b")]);
  const { container } = render(
    <>
      <Sections at="binary" of={{ binary: "server" }} />
      <Sections at="stage" of={{ flow: "F", stage: "s" }} />
    </>,
  );
  expect(screen.getByText("a of server")).not.toBeNull();
  expect(container.textContent).toBe("a of serverb of server");
});
