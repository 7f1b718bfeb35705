import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  type LucideIcon,
} from "lucide-react";
import { isEnabled, runCommand, useCommands } from "../../../registry/commands.js";
import { parseEdgeId } from "../../../kernel/document/edgeIds.js";
import { useDocument } from "../../../kernel/document/index.js";
import { Button, IconButton } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";

const ACTIONS = ["edit.group", "edit.duplicate", "edit.delete"] as const;
const ARRANGE: readonly [command: string, icon: LucideIcon][] = [
  ["arrange.left", AlignStartVertical],
  ["arrange.center", AlignCenterVertical],
  ["arrange.right", AlignEndVertical],
  ["arrange.top", AlignStartHorizontal],
  ["arrange.middle", AlignCenterHorizontal],
  ["arrange.bottom", AlignEndHorizontal],
  ["arrange.distribute", AlignHorizontalDistributeCenter],
];

/** Several things at once: what can be done with all of them. */
export function SelectionInspector() {
  const count = useDocument((state) => state.selection.length);
  // A lasso takes the lines of what it takes along: they are not what somebody counts.
  const lines = useDocument((state) => state.selection.filter((id) => parseEdgeId(id)).length);
  const [things, rest] = lines === count ? [count, 0] : [count - lines, lines];
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
          <strong>
            {things} selected{rest === 0 ? null : `, and ${rest} ${rest === 1 ? "line" : "lines"}`}
          </strong>
        </div>
      </header>
      <TaggedSection title="Together">
        <div className="chips">{ACTIONS.map(button)}</div>
      </TaggedSection>
      <TaggedSection title="Arrange">
        <div className="icon-row" role="group" aria-label="Align">
          {ARRANGE.map(([name, Icon]) => {
            const command = commands.get(name);
            return command ? (
              <IconButton
                key={name}
                label={command.label}
                icon={<Icon size={15} strokeWidth={1.75} />}
                disabled={!isEnabled(command)}
                onClick={() => void runCommand(name)}
              />
            ) : null;
          })}
        </div>
      </TaggedSection>
    </>
  );
}
