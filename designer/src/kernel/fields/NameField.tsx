import type { NameKind } from "@penstock/codegen/validate";
import { useEffect, useRef } from "react";
import { rename } from "../document/edits/rename.js";
import { nameFaultWords } from "./nameFaultWords.js";
import { paletteStore } from "../server/paletteStore.js";
import { useDraft } from "../ui/forms/useDraft.js";
import { onRenameRequest } from "./renameRequest.js";

/** The name as the heading; renames everywhere on Enter, refuses with the reason, Escape puts it back. */
export function NameField({ nodeRef, name, rule }: { nodeRef: string; name: string; rule: NameKind }) {
  const [draft, setDraft] = useDraft(nodeRef);
  const input = useRef<HTMLInputElement>(null);
  useEffect(
    () =>
      onRenameRequest(nodeRef, () => {
        input.current?.focus();
        input.current?.select();
      }),
    [nodeRef],
  );
  const fault = draft === null || draft === name ? undefined : nameFaultWords(rule, nodeRef, draft);
  const commit = () => {
    if (draft !== null && !fault && draft !== name) rename(nodeRef, draft, paletteStore.getState().palette);
    setDraft(null);
  };
  return (
    <div className="name-box">
      <input
        ref={input}
        className="name-input"
        aria-label="Name"
        title={name}
        aria-invalid={fault !== undefined}
        spellCheck={false}
        autoComplete="off"
        value={draft ?? name}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            if (!fault) event.currentTarget.blur();
          } else if (event.key === "Escape") {
            event.stopPropagation();
            setDraft(null);
          }
        }}
      />
      {fault ? (
        <span role="alert" className="name-fault">
          {fault}
        </span>
      ) : null}
    </div>
  );
}
