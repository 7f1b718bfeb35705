import { cleanup, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { useDroppedFiles } from "./droppedFiles.js";

function Page() {
  useDroppedFiles();
  return (
    <>
      <div data-takes-files="" onDragOver={(event) => event.preventDefault()}>
        <span>canvas</span>
      </div>
      <p>palette</p>
    </>
  );
}
/** What the browser asks of the page: whether it does nothing itself, and what it shows at the pointer. */
function ask(name: "dragOver" | "drop", where: string, types: string[]) {
  const transfer = { types, dropEffect: "copy" };
  const event = createEvent[name](screen.getByText(where), { dataTransfer: transfer });
  fireEvent(screen.getByText(where), event);
  return [event.defaultPrevented, transfer.dropEffect];
}
/** From the canvas to another element; to none: out of the page. */
const leave = (to: Element | null) =>
  fireEvent(screen.getByText("canvas"), new MouseEvent("dragleave", { bubbles: true, relatedTarget: to }));
const marked = () => document.querySelector("[data-over]")?.textContent;

beforeEach(() => render(<Page />));
afterEach(cleanup);

it("lets no file be dropped where nothing takes one: the browser would open it", () => {
  expect(ask("dragOver", "palette", ["Files"])).toEqual([true, "none"]);
  expect(ask("drop", "palette", ["Files"])).toEqual([true, "copy"]);
  expect(ask("dragOver", "canvas", ["Files"])).toEqual([true, "copy"]);
});

it("marks what takes the files that are held over it, until they leave or are dropped", () => {
  ask("dragOver", "canvas", ["Files"]);
  expect(marked()).toBe("canvas");
  ask("dragOver", "palette", ["Files"]);
  expect(marked()).toBeUndefined();
  ask("dragOver", "canvas", ["Files"]);
  leave(document.body);
  expect(marked()).toBe("canvas");
  leave(null);
  expect(marked()).toBeUndefined();
  ask("dragOver", "canvas", ["Files"]);
  ask("drop", "canvas", ["Files"]);
  expect(marked()).toBeUndefined();
});

it("leaves all else that is dragged alone", () => {
  expect(ask("dragOver", "palette", ["text/plain"])).toEqual([false, "copy"]);
  expect(ask("drop", "palette", ["text/plain"])).toEqual([false, "copy"]);
  ask("dragOver", "canvas", ["text/plain"]);
  expect(marked()).toBeUndefined();
});
