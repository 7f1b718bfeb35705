import { allCommands, isEnabled, shortcutsOf, type Command } from "./commands.js";

const isMac = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);

/** `Mod+Shift+G` as it is printed on the keyboard in front of the user: `Ctrl+Shift+G` or `⇧⌘G`. */
export function printedShortcut(shortcut: string, mac: boolean = isMac): string {
  if (!mac) return shortcut.replace("Mod", "Ctrl").replace("Delete", "Del").replace(/Arrow/g, "");
  return shortcut
    .replace("Mod+", "⌘")
    .replace("Shift+", "⇧")
    .replace("Alt+", "⌥")
    .replace("Delete", "⌫")
    .replace(/Arrow/g, "");
}

/** Whether a key event is this shortcut. Letters are compared by key, without regard to case. */
export function matchesShortcut(event: KeyboardEvent, shortcut: string, mac: boolean = isMac): boolean {
  const parts = shortcut.split("+");
  const key = parts.at(-1) === "" ? "+" : (parts.at(-1) ?? "");
  const mod = parts.includes("Mod");
  const shift = parts.includes("Shift");
  const alt = parts.includes("Alt");
  if ((mac ? event.metaKey : event.ctrlKey) !== mod || (mac ? event.ctrlKey : event.metaKey)) return false;
  if (event.altKey !== alt) return false;
  // `?` and `+` come with Shift on many layouts; for signs the character alone decides.
  if (/^[a-z0-9]+$/i.test(key) && event.shiftKey !== shift) return false;
  return event.key.toLowerCase() === (key === "Space" ? " " : key.toLowerCase());
}

/** True while typing: single keys then belong to the text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest(".cm-editor")) return true;
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|range)$/.test(target.type);
  // The lines of a list that is open have the focus themselves.
  return target instanceof HTMLTextAreaElement || target.closest("select") !== null;
}

/** Enter and Space on a button, tab or row belong to it. */
const pressesIt = (event: KeyboardEvent): boolean =>
  (event.key === "Enter" || event.key === " ") &&
  event.target instanceof Element &&
  event.target.closest("button, a, summary, [role=button], [role=tab], [role=treeitem]") !== null;

const asksFor = (event: KeyboardEvent, command: Command): boolean =>
  shortcutsOf(command).some((shortcut) => matchesShortcut(event, shortcut));

/** The command that a key event asks for; undefined when none does or it cannot be done now. */
export function commandForKey(event: KeyboardEvent): Command | undefined {
  if (pressesIt(event)) return undefined;
  const typing = isTyping(event.target);
  return allCommands().find(
    (command) => (!typing || command.everywhere === true) && asksFor(event, command) && isEnabled(command),
  );
}

/** A key that works everywhere is never the browser's: F5 during a build would load the page again. */
const isTaken = (event: KeyboardEvent): boolean =>
  allCommands().some((command) => command.everywhere === true && asksFor(event, command));

/** What is typed in a field counts once the field is left, and a command works with what counts. */
function leaveField(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || !isTyping(field)) return;
  // The editor of the handlers has nothing to commit and keeps the focus.
  if (!field.closest(".cm-editor") || field.closest(".code-field")) field.blur();
}

const isInDialog = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest("[role=menu],[role=dialog],dialog") !== null;

/** A dialog stops the keys that it does not use as well, and F5 would load the page again below it. Hears them first. */
export function keepFromBrowser(event: KeyboardEvent): void {
  if (isInDialog(event) && /^F\d+$/.test(event.key) && isTaken(event)) event.preventDefault();
}

/** Does what a key event asks for. Dialogs and menus stop the keys they use. */
export function performKey(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  if (isInDialog(event)) return;
  const command = commandForKey(event);
  if (!command && !isTaken(event)) return;
  event.preventDefault();
  if (!command) return;
  leaveField();
  void command.perform();
}
