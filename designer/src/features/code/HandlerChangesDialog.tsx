import { useState } from "react";
import { Button, Checkbox, Dialog } from "../../kernel/ui/index.js";
import "./handlerChanges.css";
import { applyHandlerChanges, hideHandlerChanges, useHandlerChanges } from "./handlerChanges.js";

/** The patch that makes the user's code say what is drawn, before it is applied. */
export function HandlerChangesDialog() {
  const shown = useHandlerChanges((state) => state.shown);
  const changes = useHandlerChanges((state) => state.changes);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = new Set(changes.map(({ id }) => id).filter((id) => !left.has(id)));
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  return (
    <Dialog
      open={shown}
      onOpenChange={hideHandlerChanges}
      title="Change your code to the drawn names"
      width={640}
      footer={
        <>
          <Button onClick={hideHandlerChanges}>Leave as it is</Button>
          <Button
            variant="primary"
            disabled={chosen.size === 0}
            onClick={() => void applyHandlerChanges(chosen)}
          >
            {chosen.size === 1 ? "Change 1 file" : `Change ${chosen.size} files`}
          </Button>
        </>
      }
    >
      {changes.length === 0 ? (
        <p className="hint">Your code names what is drawn: nothing to change.</p>
      ) : null}
      {changes.map(({ id, path, lines }) => (
        <section key={id} className="patch" aria-label={path}>
          <Checkbox checked={!left.has(id)} label={path} onChange={() => toggle(id)} />
          <div className="patch-lines mono">
            {lines.map(({ line, before, after }) => (
              <div key={line}>
                <div className="patch-line" data-side="before">
                  <span className="patch-number">{line}</span>
                  <del>{before.trim()}</del>
                </div>
                <div className="patch-line" data-side="after">
                  <span className="patch-number">{line}</span>
                  <ins>{after.trim()}</ins>
                </div>
              </div>
            ))}
          </div>
        </section>
      ))}
    </Dialog>
  );
}
