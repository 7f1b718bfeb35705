import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Serving } from "./BundleNodeView.js";

afterEach(cleanup);
const parts = (text: string) => {
  const label = render(<Serving text={text} />).container.firstElementChild!;
  expect([label.textContent, label.getAttribute("title")]).toEqual([text, text]);
  return [...label.children].map((part) => part.textContent);
};

it("has the port apart, which is not cut with the name before it", () => {
  expect(parts("ads-server · :7400")).toEqual(["ads-server", " · :7400"]);
  expect(parts("ads-server ×2 · :7400")).toEqual(["ads-server ×2", " · :7400"]);
  expect(parts("ads-server ×2 · 10.0.0.5:7400")).toEqual(["ads-server ×2", " · 10.0.0.5:7400"]);
  expect(parts("no binary")).toEqual(["no binary"]);
  expect(parts("ads-server · :7400, logs")).toEqual(["ads-server · :7400, logs"]);
});
