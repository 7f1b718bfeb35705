import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

export type CommandGroup = "edit" | "add" | "arrange" | "view" | "project" | "run" | "go";

/** One thing a person can do. Menus, keys and the command palette read nothing but these. */
export interface Command {
  /** Stable, dotted: `edit.undo`. */
  readonly name: string;
  readonly label: string;
  readonly group: CommandGroup;
  /** `Mod+Shift+Z`; Mod is Cmd on a Mac, else Ctrl. Several: the first is shown. */
  readonly shortcut?: string | readonly string[];
  /** Left out of the command palette: only good as a key. */
  readonly keyOnly?: boolean;
  /** Works while a text field has the focus. */
  readonly everywhere?: boolean;
  /** Whether it can be done now; asked when shown and before it runs. */
  readonly when?: () => boolean;
  readonly perform: () => void | Promise<void>;
}

const commandStore = createStore<{ commands: ReadonlyMap<string, Command> }>(() => ({ commands: new Map() }));

/** Adds a command, in place of one of the same name; returns how to take it away. */
export function registerCommand(command: Command): () => void {
  commandStore.setState(({ commands }) => ({ commands: new Map(commands).set(command.name, command) }));
  return () =>
    commandStore.setState(({ commands }) => {
      if (commands.get(command.name) !== command) return {};
      const next = new Map(commands);
      next.delete(command.name);
      return { commands: next };
    });
}

export const allCommands = (): readonly Command[] => [...commandStore.getState().commands.values()];
export const commandNamed = (name: string): Command | undefined => commandStore.getState().commands.get(name);
export const useCommands = (): ReadonlyMap<string, Command> =>
  useStore(commandStore, (state) => state.commands);

export const isEnabled = (command: Command | undefined): boolean =>
  command !== undefined && (command.when?.() ?? true);

/** Runs a command by name; false when there is none or it cannot be done now. */
export function runCommand(name: string): boolean {
  const command = commandNamed(name);
  if (!command || !isEnabled(command)) return false;
  void command.perform();
  return true;
}

export const shortcutsOf = (command: Command): readonly string[] =>
  command.shortcut === undefined
    ? []
    : typeof command.shortcut === "string"
      ? [command.shortcut]
      : command.shortcut;
