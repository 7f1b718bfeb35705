import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Combobox } from "./Combobox.js";

const picked: string[] = [];
function Fruits() {
  const [query, onQuery] = useState("");
  const choices = ["apple", "pear", "plum"]
    .filter((label) => label.includes(query))
    .map((label) => ({ key: label, label, hint: "", icon: null, perform: () => {} }));
  const words = { label: "Find a fruit", placeholder: "", choicesLabel: "Fruits", nothing: "No fruit is" };
  return <Combobox {...words} {...{ query, onQuery, choices }} onPick={({ label }) => picked.push(label)} />;
}
const press = (...keys: string[]) =>
  keys.forEach((key) => fireEvent.keyDown(screen.getByRole("combobox"), { key }));
const type = (value: string) => fireEvent.change(screen.getByRole("combobox"), { target: { value } });
const chosen = () => screen.queryByRole("option", { selected: true })?.textContent;

const shownTo = vi.fn<(this: Element) => string>(function () {
  return this.textContent;
});

beforeEach(() => {
  Element.prototype.scrollIntoView = shownTo as () => void;
  shownTo.mockClear();
  picked.length = 0;
  render(<Fruits />);
});
afterEach(cleanup);

it("goes round by arrows, and names the line to who listens", () => {
  press("ArrowUp");
  expect(chosen()).toBe("plum");
  press("ArrowDown", "ArrowDown");
  expect(chosen()).toBe("pear");
  const named = screen.getByRole("combobox").getAttribute("aria-activedescendant");
  expect(document.getElementById(named ?? "")?.textContent).toBe("pear");
  press("Enter");
  expect(picked).toEqual(["pear"]);
  expect(shownTo.mock.results.map(({ value }) => value as unknown)).toEqual(["plum", "apple", "pear"]);
});

it("is usable again after nothing was found", () => {
  type("x");
  expect(screen.getByText("No fruit is “x”")).toBeDefined();
  press("ArrowDown", "ArrowUp", "Enter");
  type("plu");
  expect(chosen()).toBe("plum");
  type("");
  press("Enter");
  expect(picked).toEqual(["apple"]);
});
