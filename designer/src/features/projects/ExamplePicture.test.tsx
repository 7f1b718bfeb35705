import { printTopology } from "@penstock/codegen/topology";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { adsTopology } from "../../testing/ads.js";
import { ExamplePicture } from "./ExamplePicture.js";

afterEach(cleanup);

const example = { name: "ads", title: "Ads", doc: "", topology: printTopology(adsTopology()) };

it("draws each node and each line of an example, also without a layout", () => {
  const { container } = render(<ExamplePicture example={example} />);
  expect(container.querySelectorAll("g")).toHaveLength(5);
  expect([...container.querySelectorAll("path")].map((path) => path.getAttribute("data-type"))).toEqual([
    "flow",
    "flow",
    "catch",
    "call",
  ]);
});

it("is left out where the drawing cannot be read", () => {
  const { container } = render(<ExamplePicture example={{ ...example, topology: "{" }} />);
  expect(container.innerHTML).toBe("");
});
