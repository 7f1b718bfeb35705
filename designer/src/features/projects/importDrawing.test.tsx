import { newProject, printTopology } from "@penstock/codegen/topology";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Toasts } from "../../kernel/ui/index.js";
import { dropOfDrawing, usePastedDrawing, type Drawing } from "./importDrawing.js";

const text = printTopology(newProject("theirs"));
let taken: Drawing[] = [];
const take = (drawing: Drawing) => void taken.push(drawing);

function Page() {
  usePastedDrawing(take);
  return (
    <div data-testid="page" {...dropOfDrawing(take)}>
      <input aria-label="field" />
      <Toasts />
    </div>
  );
}
const paste = (where: Element, what: string) =>
  fireEvent.paste(where, { clipboardData: { getData: () => what } });

afterEach(() => {
  cleanup();
  taken = [];
});

it("takes a topology.json that is pasted on the page, and leaves fields theirs", () => {
  render(<Page />);
  paste(screen.getByLabelText("field"), text);
  paste(document.body, "something else");
  expect(taken).toEqual([]);
  paste(document.body, text);
  expect(taken).toEqual([{ text, name: "theirs" }]);
});

it("takes a file that is dropped", async () => {
  render(<Page />);
  fireEvent.drop(screen.getByTestId("page"), {
    dataTransfer: { files: [new File([text], "topology.json")] },
  });
  await waitFor(() => expect(taken).toEqual([{ text, name: "theirs" }]));
});

it("says why a file is none, where, and what is expected", async () => {
  render(<Page />);
  const file = new File(['{"penstock": 1,\n  "nam'], "half.json");
  fireEvent.drop(screen.getByTestId("page"), { dataTransfer: { files: [file] } });
  await waitFor(() => expect(screen.queryByText("half.json is no topology.json")).not.toBeNull());
  const said = screen.getByRole("alert").textContent;
  expect(said).toContain("A text that is never closed (line 2, column 3).");
  expect(said).toContain("the drawing of a project, topology.json in its folder.");
  expect(taken).toEqual([]);
});
