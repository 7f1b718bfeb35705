import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";
import { Dialog } from "../../kernel/ui/index.js";
import { printedShortcut } from "../../registry/keys.js";
import { shortcutsOf, useCommands, type Command, type CommandGroup } from "../../registry/commands.js";

const sheetStore = createStore<{ open: boolean }>(() => ({ open: false }));
export const openKeyboardSheet = (): void => sheetStore.setState({ open: true });

const TITLES: Readonly<Record<CommandGroup, string>> = {
  add: "Add, at the pointer",
  edit: "Change",
  run: "Run",
  go: "Go to",
  view: "View",
  arrange: "Arrange",
  project: "Project",
};
/** What is done with the mouse, beside the keys. */
const GESTURES: readonly (readonly [string, string])[] = [
  ["Double click on the canvas", "Add there"],
  ["Double click on a node", "Edit its handler"],
  ["Double click on a name", "Rename"],
  ["Drag from a port", "Draw a call or a flow"],
  ["Drag the end of a line", "Lead it elsewhere"],
  ["Drag a bundle into a frame", "Have that binary run it"],
  ["Shift and click or drag", "Select several"],
];

/** The four arrows are one line. */
const rowsOf = (commands: readonly Command[]): { label: string; keys: string }[] => {
  const rows = new Map<string, string[]>();
  for (const command of commands) {
    const [first] = shortcutsOf(command);
    if (first === undefined) continue;
    rows.set(command.label, [...(rows.get(command.label) ?? []), first]);
  }
  return [...rows].map(([label, keys]) => ({
    label,
    keys: keys.every((key) => key.startsWith("Arrow"))
      ? "Arrow keys"
      : keys.map((key) => printedShortcut(key)).join(", "),
  }));
};

/** Every key there is, by what it is for: made from the commands themselves. */
export function KeyboardSheet() {
  const open = useStore(sheetStore, (state) => state.open);
  const commands = useCommands();
  if (!open) return null;
  const all = [...commands.values()];
  return (
    <Dialog
      open
      onOpenChange={(next) => sheetStore.setState({ open: next })}
      title="Keyboard and mouse"
      width={860}
    >
      <div className="key-sheet">
        {(Object.keys(TITLES) as CommandGroup[]).map((group) => (
          <Keys
            key={group}
            title={TITLES[group]}
            rows={rowsOf(all.filter((command) => command.group === group))}
          />
        ))}
        <Keys title="Mouse" rows={GESTURES.map(([keys, label]) => ({ keys, label }))} />
      </div>
    </Dialog>
  );
}

function Keys({ title, rows }: { title: string; rows: readonly { label: string; keys: string }[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="caps">{title}</h3>
      <dl>
        {rows.map(({ label, keys }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{keys}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
