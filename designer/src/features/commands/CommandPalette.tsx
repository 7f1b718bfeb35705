import { createStore } from "zustand/vanilla";
import { Search } from "lucide-react";
import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { reveal, useDocument } from "../../kernel/document/index.js";
import { findPlaces } from "../../drawing/queries/places.js";
import { useSourceIcon } from "../../kernel/server/usePalette.js";
import { Combobox, KindIcon, type Choice } from "../../kernel/ui/index.js";
import "./commands.css";
import { printedShortcut } from "../../registry/keys.js";
import { isEnabled, shortcutsOf, useCommands, type Command } from "../../registry/commands.js";

const commandPaletteStore = createStore<{ open: boolean }>(() => ({ open: false }));
export const openCommandPalette = (): void => commandPaletteStore.setState({ open: true });
const closeCommandPalette = (): void => commandPaletteStore.setState({ open: false });

/** Every command and every thing of the project by name: Ctrl+K, type, Enter. */
export function CommandPalette() {
  const open = useStore(commandPaletteStore, (state) => state.open);
  return open ? <OpenPalette /> : null;
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

const run = (choice: Choice) => {
  closeCommandPalette();
  choice.perform();
};

function OpenPalette() {
  const commands = useCommands();
  const topology = useDocument((state) => state.topology);
  const sourceIcon = useSourceIcon();
  const [query, setQuery] = useState("");
  const rows = useMemo(() => {
    const possible = [...commands.values()]
      .filter((command) => !command.keyOnly && isEnabled(command))
      .map(commandRow);
    const places = findPlaces(topology, sourceIcon).map((place): Choice => ({
      key: place.ref,
      label: place.label,
      hint: place.kind,
      icon: <KindIcon kind={place.icon} />,
      perform: () => reveal(place.ref),
    }));
    return [...possible, ...places];
  }, [commands, topology, sourceIcon]);
  const shown = query.trim()
    ? rows
        .map((row) => ({ row, score: matchScore(row.label, query) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .map(({ row }) => row)
        .slice(0, 60)
    : rows.slice(0, 60);
  return (
    <div
      className="palette-scrim"
      onPointerDown={(event) => event.target === event.currentTarget && closeCommandPalette()}
    >
      <div className="command-palette" role="dialog" aria-modal="true" aria-label="Command palette">
        <Combobox
          label="Find a command or a place"
          placeholder="Find a command, service, message…"
          lead={<Search size={14} strokeWidth={1.75} aria-hidden />}
          query={query}
          onQuery={setQuery}
          choices={shown}
          choicesLabel="Commands and places"
          nothing="Nothing is called"
          onPick={run}
          onEscape={closeCommandPalette}
        />
      </div>
    </div>
  );
}

const commandRow = (command: Command): Choice => {
  const shortcut = shortcutsOf(command)[0];
  return {
    key: command.name,
    label: command.label,
    hint: shortcut ? printedShortcut(shortcut) : "",
    icon: <span className="command-dot" aria-hidden />,
    perform: () => void command.perform(),
  };
};
