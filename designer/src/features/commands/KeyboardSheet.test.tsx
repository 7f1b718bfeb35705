import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { open } from "../../testing/ads.js";
import { KeyboardSheet } from "./KeyboardSheet.js";
import { commands } from "./index.js";
import { allCommands, registerCommand, shortcutsOf } from "../../registry/commands.js";
import { ShortcutHost } from "./ShortcutHost.js";

// What the browser has and the tests' page has not.
HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
  this.open = true;
};
afterEach(cleanup);

it("opens at ?, with every command that has a key", () => {
  open();
  commands.commands?.forEach(registerCommand);
  render(
    <>
      <ShortcutHost />
      <KeyboardSheet />
    </>,
  );
  expect(screen.queryByRole("dialog")).toBeNull();
  act(() => void fireEvent.keyDown(window, { key: "?", shiftKey: true }));
  const sheet = within(screen.getByRole("dialog"));
  const keyed = allCommands().filter((command) => shortcutsOf(command).length > 0);
  expect(keyed.length).toBeGreaterThan(20);
  for (const { label } of keyed) expect(sheet.queryAllByText(label), label).not.toEqual([]);
  expect(sheet.getAllByText("Arrow keys")).toHaveLength(1);
});
