import { Search } from "lucide-react";
import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { reveal, useDocument } from "../../kernel/document/index.js";
import { findPlaces } from "../../drawing/places.js";
import { KindIcon } from "../../kernel/ui/index.js";
import "./commands.css";
import { printedShortcut } from "../../registry/keys.js";
import { closeCommandPalette, commandPaletteStore } from "./paletteStore.js";
import { isEnabled, shortcutsOf, useCommands, type Command } from "../../registry/commands.js";

/** Every command and every thing of the project by name: Ctrl+K, type, Enter. */
export function CommandPalette() {
  const open = useStore(commandPaletteStore, (state) => state.open);
  return open ? <OpenPalette /> : null;
}

interface Row {
  key: string;
  label: string;
  hint: string;
  icon: React.ReactNode;
  perform: () => void;
}

/** How well words match: 0 not at all; all words must occur, starts of words count more. */
export function matchScore(label: string, query: string): number {
  const text = label.toLowerCase();
  let score = 1;
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = text.indexOf(word);
    if (at < 0) return 0;
    score += at === 0 ? 3 : /\W/.test(text[at - 1] ?? "") ? 2 : 1;
  }
  return score;
}

const run = (row: Row | undefined) => {
  if (!row) return;
  closeCommandPalette();
  row.perform();
};

function OpenPalette() {
  const commands = useCommands();
  const topology = useDocument((state) => state.topology);
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const rows = useMemo(() => {
    const possible = [...commands.values()]
      .filter((command) => !command.keyOnly && isEnabled(command))
      .map(commandRow);
    const places = findPlaces(topology).map((place): Row => ({
      key: place.ref,
      label: place.label,
      hint: place.kind,
      icon: <KindIcon kind={place.icon} />,
      perform: () => reveal(place.ref),
    }));
    return [...possible, ...places];
  }, [commands, topology]);
  const shown = query.trim()
    ? rows
        .map((row) => ({ row, score: matchScore(row.label, query) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .map(({ row }) => row)
        .slice(0, 60)
    : rows.slice(0, 60);
  const at = Math.max(0, Math.min(active, shown.length - 1));
  return (
    <div
      className="palette-scrim"
      onPointerDown={(event) => event.target === event.currentTarget && closeCommandPalette()}
    >
      <div className="command-palette" role="dialog" aria-modal="true" aria-label="Command palette">
        <div className="command-search">
          <Search size={14} strokeWidth={1.75} aria-hidden />
          <input
            role="combobox"
            aria-expanded="true"
            aria-controls="command-list"
            aria-activedescendant={shown.length > 0 ? `command-${at}` : undefined}
            aria-label="Find a command or a place"
            placeholder="Find a command, service, message…"
            autoFocus
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setActive(0);
            }}
            onKeyDown={(event) => {
              if (event.key === "Escape") closeCommandPalette();
              else if (event.key === "ArrowDown") setActive((at + 1) % Math.max(1, shown.length));
              else if (event.key === "ArrowUp")
                setActive((at - 1 + shown.length) % Math.max(1, shown.length));
              else if (event.key === "Enter") run(shown[at]);
              else return;
              event.preventDefault();
              event.stopPropagation();
            }}
          />
        </div>
        <div id="command-list" role="listbox" aria-label="Commands and places" className="command-list">
          {shown.map((row, index) => (
            <div
              key={row.key}
              id={`command-${index}`}
              role="option"
              aria-selected={index === at}
              className="menu-item"
              data-highlighted={index === at ? "" : undefined}
              ref={(element) => {
                if (index === at) element?.scrollIntoView({ block: "nearest" });
              }}
              onPointerMove={() => setActive(index)}
              onClick={() => run(row)}
            >
              {row.icon}
              <span>{row.label}</span>
              <span className="menu-key">{row.hint}</span>
            </div>
          ))}
          {shown.length === 0 ? <div className="menu-label">Nothing is called “{query}”</div> : null}
        </div>
      </div>
    </div>
  );
}

const commandRow = (command: Command): Row => {
  const shortcut = shortcutsOf(command)[0];
  return {
    key: command.name,
    label: command.label,
    hint: shortcut ? printedShortcut(shortcut) : "",
    icon: <span className="command-dot" aria-hidden />,
    perform: () => void command.perform(),
  };
};
