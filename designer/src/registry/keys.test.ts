import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { commandForKey, keepFromBrowser, matchesShortcut, performKey, printedShortcut } from "./keys.js";
import { registerCommand, runCommand } from "./commands.js";

const press = (key: string, init: KeyboardEventInit = {}) => new KeyboardEvent("keydown", { key, ...init });

describe("shortcuts", () => {
  it("compares letters without case and modifiers exactly", () => {
    expect(matchesShortcut(press("z", { ctrlKey: true }), "Mod+Z", false)).toBe(true);
    expect(matchesShortcut(press("Z", { ctrlKey: true, shiftKey: true }), "Mod+Z", false)).toBe(false);
    expect(matchesShortcut(press("z", { metaKey: true }), "Mod+Z", true)).toBe(true);
    expect(matchesShortcut(press("s", { ctrlKey: true }), "S", false)).toBe(false);
    expect(matchesShortcut(press("+", { shiftKey: true }), "+", false)).toBe(true);
    expect(matchesShortcut(press(" "), "Space", false)).toBe(true);
  });

  it("tells Shift+F5, which stops, from F5, which runs", () => {
    expect(matchesShortcut(press("F5", { shiftKey: true }), "F5", false)).toBe(false);
    expect(matchesShortcut(press("F5", { shiftKey: true }), "Shift+F5", false)).toBe(true);
    expect(matchesShortcut(press("F5"), "F5", false)).toBe(true);
  });

  it("prints them as the keyboard does", () => {
    expect(printedShortcut("Mod+Shift+G", false)).toBe("Ctrl+Shift+G");
    expect(printedShortcut("Mod+Shift+G", true)).toBe("⌘⇧G");
  });
});

describe("commands by key", () => {
  const perform = vi.fn<() => void>();
  const removers: (() => void)[] = [];
  let can = true;
  const RUN = {
    name: "test.f5",
    label: "Run",
    group: "run",
    shortcut: "F5",
    everywhere: true,
    when: () => can,
    perform,
  } as const;
  beforeEach(() => {
    perform.mockReset();
    can = true;
    removers.push(
      registerCommand({ name: "test.s", label: "S", group: "edit", shortcut: "S", when: () => can, perform }),
    );
  });
  afterEach(() => removers.splice(0).forEach((remove) => remove()));

  it("finds the command, and none that cannot be done now", () => {
    expect(commandForKey(press("s"))?.name).toBe("test.s");
    can = false;
    expect(commandForKey(press("s"))).toBeUndefined();
    expect(runCommand("test.s")).toBe(false);
    expect(perform).not.toHaveBeenCalled();
  });

  it("leaves the keys to a list that is open, whose lines have the focus", () => {
    const list = document.body.appendChild(document.createElement("select"));
    const line = list.appendChild(document.createElement("option"));
    let found: unknown = "not asked";
    line.addEventListener("keydown", (event) => (found = commandForKey(event)));
    line.dispatchEvent(press("s"));
    expect(found).toBeUndefined();
    list.remove();
  });

  it("leaves Enter and Space to the button that has the focus", () => {
    removers.push(
      registerCommand({ name: "test.space", label: "Space", group: "add", shortcut: "Space", perform }),
    );
    const button = document.body.appendChild(document.createElement("button"));
    let found: unknown = "not asked";
    button.addEventListener("keydown", (event) => (found = commandForKey(event)));
    button.dispatchEvent(press(" "));
    expect(found).toBeUndefined();
    expect(commandForKey(press(" "))?.name).toBe("test.space");
    button.remove();
  });

  it("leaves single keys to the text while typing", () => {
    const input = document.body.appendChild(document.createElement("input"));
    let found: unknown = "not asked";
    input.addEventListener("keydown", (event) => (found = commandForKey(event)));
    input.dispatchEvent(press("s"));
    expect(found).toBeUndefined();
    input.remove();
  });

  it("keeps a key that works everywhere from the browser while its command cannot be done", () => {
    removers.push(registerCommand(RUN));
    const taken = (key: string): boolean => {
      const event = press(key, { cancelable: true });
      performKey(event);
      return event.defaultPrevented;
    };
    can = false;
    expect([taken("F5"), taken("s"), taken("F6")]).toEqual([true, false, false]);
    expect(perform).not.toHaveBeenCalled();
    can = true;
    expect(taken("F5")).toBe(true);
    expect(perform).toHaveBeenCalledTimes(1);
  });

  it("keeps it from the browser in a dialog as well, which stops what it does not use, and runs nothing", () => {
    removers.push(registerCommand(RUN));
    const dialog = document.body.appendChild(document.createElement("dialog"));
    const kept = (key: string): boolean => {
      const event = press(key, { cancelable: true, bubbles: true });
      dialog.addEventListener("keydown", keepFromBrowser, { once: true });
      dialog.dispatchEvent(event);
      performKey(event);
      return event.defaultPrevented;
    };
    expect([kept("F5"), kept("F6"), kept("s")]).toEqual([true, false, false]);
    expect(perform).not.toHaveBeenCalled();
    dialog.remove();
  });

  it("leaves the field being typed in first, so that the command works with what was typed", () => {
    const order: string[] = [];
    removers.push(
      registerCommand({
        name: "test.view",
        label: "View",
        group: "go",
        shortcut: "Alt+1",
        everywhere: true,
        perform: () => void order.push("performed"),
      }),
    );
    const input = document.body.appendChild(document.createElement("input"));
    const code = document.body.appendChild(document.createElement("div"));
    code.className = "cm-editor";
    const search = code.appendChild(document.createElement("input"));
    for (const field of [input, search]) {
      field.addEventListener("blur", () => order.push("left"));
      field.focus();
      performKey(press("1", { altKey: true }));
    }
    expect(order).toEqual(["left", "performed", "performed"]);
    expect(document.activeElement).toBe(search);
    input.remove();
    code.remove();
  });
});
