import { useState } from "react";
import { ApiFailure } from "../../kernel/server/api.js";
import { Button, Dialog, Input } from "../../kernel/ui/index.js";
import { projectNameError } from "./projectName.js";

interface NameDialogProps {
  title: string;
  /** What the name is for. */
  hint: string;
  /** The verb on the button. */
  action: string;
  initial: string;
  taken: readonly string[];
  /** What the server refuses is said at the name. */
  perform: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the name of a project that is made, copied or renamed. Enter is enough. */
export function NameDialog({ title, hint, action, initial, taken, perform, onClose }: NameDialogProps) {
  const [name, setName] = useState(initial);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState("");
  const error = projectNameError(name, taken);
  const submit = async () => {
    if (error || busy) return;
    setBusy(true);
    try {
      await perform(name);
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      // Of a name that C++ keeps for itself the message is that of the only problem.
      const said = [cause.message, ...cause.problems.slice(0, 3).map(({ message }) => message), cause.help];
      setRefused([...new Set(said)].filter(Boolean).join(". "));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      width={440}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={Boolean(error) || busy} onClick={() => void submit()}>
            {action}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label className="start-name">
          Name
          <Input
            autoFocus
            mono
            aria-label="Project name"
            value={name}
            error={error ?? (refused || undefined)}
            onChange={(event) => {
              setName(event.target.value);
              setRefused("");
            }}
          />
        </label>
        <p className="start-hint">{hint}</p>
      </form>
    </Dialog>
  );
}
