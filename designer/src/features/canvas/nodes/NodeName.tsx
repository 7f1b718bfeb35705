import type { NameKind } from "@penstock/codegen/validate";
import { useEffect, useRef, useState } from "react";
import { documentStore } from "../../../kernel/document/index.js";
import { rename } from "../../../kernel/document/edits/rename.js";
import { nameFaultWords } from "../../../kernel/fields/nameFaultWords.js";
import { useStore } from "zustand";
import { focusCanvas, namingStore, showFault, stopNaming } from "../../../drawing/screen/naming.js";

interface NodeNameProps {
  /** The node on the canvas. */
  node: string;
  /** What is renamed: of a stage, its service. */
  nodeRef: string;
  name: string;
  rule: NameKind;
  className: string;
}

/** A node's name; a double click, F2 and drawing the node make it a field. */
export function NodeName(props: NodeNameProps) {
  const named = useStore(namingStore, (state) => state.node === props.node);
  const readOnly = documentStore.getState().readOnly;
  if (named && !readOnly) return <NameInput {...props} />;
  return (
    <span className={props.className} data-title="" title={props.name}>
      {props.name}
    </span>
  );
}

/** Enter and leaving it rename, Escape does not; the keys go back to the canvas after either. */
function NameInput({ nodeRef, name, rule, className }: NodeNameProps) {
  const [draft, setDraft] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  // The canvas takes the focus from a field that Enter or Escape has ended, which then is left as well.
  const ended = useRef(false);
  useEffect(() => {
    input.current?.focus({ preventScroll: true });
    input.current?.select();
  }, []);
  const fault = draft === name ? undefined : nameFaultWords(rule, nodeRef, draft);
  const end = (to: string) => {
    if (ended.current) return;
    ended.current = true;
    stopNaming();
    if (to !== name) rename(nodeRef, to);
  };
  return (
    <span className={`${className} node-naming nodrag nopan`}>
      <input
        ref={input}
        aria-label={`Name of ${name}`}
        aria-invalid={fault !== undefined}
        spellCheck={false}
        autoComplete="off"
        size={Math.max(4, draft.length)}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => end(fault ? name : draft)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            if (fault) return;
            end(draft);
          } else if (event.key === "Escape") end(name);
          else return;
          event.preventDefault();
          event.stopPropagation();
          focusCanvas();
        }}
      />
      {fault ? (
        <span role="alert" className="node-naming-fault" ref={showFault} key={fault}>
          {fault}
        </span>
      ) : null}
    </span>
  );
}
