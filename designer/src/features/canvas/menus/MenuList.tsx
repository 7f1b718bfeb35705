import { useEffect, useRef } from "react";
import { printedShortcut } from "../../../registry/keys.js";
import { commandNamed, isEnabled, shortcutsOf } from "../../../registry/commands.js";
import type { MenuLine } from "../../../registry/menus.js";
import { closePopup } from "../../../registry/popups.js";

/** A menu at the pointer, run with the arrow keys. */
export function MenuList({ label, lines }: { label: string; lines: readonly MenuLine[] }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => list.current?.querySelector<HTMLElement>("[role^=menuitem]:not([aria-disabled=true])")?.focus(),
    [],
  );

  const move = (event: React.KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const items = [
      ...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not([aria-disabled=true])") ?? []),
    ];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[(at + (event.key === "ArrowDown" ? 1 : -1) + items.length) % items.length]?.focus();
  };

  return (
    <div ref={list} className="menu" role="menu" aria-label={label} onKeyDown={move}>
      {lines.map((line, index) => {
        if (line === "separator") return <div key={index} className="menu-sep" role="separator" />;
        if ("heading" in line)
          return (
            <div key={index} className="menu-label caps">
              {line.heading}
            </div>
          );
        return <MenuButton key={index} line={line} />;
      })}
    </div>
  );
}

function MenuButton({ line }: { line: Exclude<MenuLine, "separator" | { heading: string }> }) {
  const command = "command" in line ? commandNamed(line.command) : undefined;
  if ("command" in line && !command) return null;
  const disabled = "command" in line ? !isEnabled(command) : line.disabled === true;
  const perform = () => {
    if (disabled) return;
    closePopup();
    if ("command" in line) void command?.perform();
    else line.perform();
  };
  const shortcut = command ? shortcutsOf(command)[0] : undefined;
  const checkable = !("command" in line) && line.checked !== undefined;
  return (
    <button
      type="button"
      role={checkable ? "menuitemradio" : "menuitem"}
      aria-checked={checkable ? line.checked : undefined}
      aria-disabled={disabled}
      tabIndex={-1}
      className="menu-item"
      data-disabled={disabled ? "" : undefined}
      data-tone={!("command" in line) && line.danger ? "danger" : undefined}
      onClick={perform}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
    >
      {"command" in line ? null : line.icon}
      <span>{"command" in line ? command?.label : line.label}</span>
      {shortcut ? <span className="menu-key">{printedShortcut(shortcut)}</span> : null}
      {!("command" in line) && line.hint ? <span className="menu-key">{line.hint}</span> : null}
    </button>
  );
}
