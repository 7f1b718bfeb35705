import { isEnabled, runCommand, useCommands } from "../commands/registry.js";
import { useDocument } from "../document/index.js";
import { Button } from "../ui/index.js";
import { TaggedSection } from "./TaggedSection.js";

const ACTIONS = ["edit.group", "edit.duplicate", "edit.delete"] as const;
const ALIGN = [
  "arrange.left",
  "arrange.center",
  "arrange.right",
  "arrange.top",
  "arrange.middle",
  "arrange.bottom",
  "arrange.distribute",
] as const;

/** Several things at once: what can be done with all of them. */
export function SelectionInspector() {
  const count = useDocument((state) => state.selection.length);
  const commands = useCommands();
  const button = (name: string) => {
    const command = commands.get(name);
    return command ? (
      <Button key={name} size="sm" disabled={!isEnabled(command)} onClick={() => void runCommand(name)}>
        {command.label}
      </Button>
    ) : null;
  };
  return (
    <>
      <header className="inspector-head">
        <div className="inspector-title">
          <strong>{count} selected</strong>
        </div>
      </header>
      <TaggedSection title="Together">
        <div className="chips">{ACTIONS.map(button)}</div>
      </TaggedSection>
      <TaggedSection title="Arrange">
        <div className="chips">{ALIGN.map(button)}</div>
      </TaggedSection>
    </>
  );
}
