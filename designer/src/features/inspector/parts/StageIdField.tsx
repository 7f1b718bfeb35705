import { useState } from "react";
import { stageRef } from "../../../kernel/document/edits/flows.js";
import { rename } from "../../../kernel/document/edits/rename.js";
import { Field, Input } from "../../../kernel/ui/index.js";
import { nameFaultWords } from "../../../kernel/fields/nameFaultWords.js";

/** The id of a stage; renames everywhere on Enter, refuses with the reason, Escape puts it back. */
export function StageIdField({ flow, id }: { flow: string; id: string }) {
  const ref = stageRef(flow, id);
  const [fault, setFault] = useState<string>();
  const faultOf = (text: string) => (text === id ? undefined : nameFaultWords("stage", ref, text));
  return (
    <Field label="Stage id">
      <Input
        mono
        aria-label="Stage id"
        value={id}
        error={fault}
        onChange={(event) => setFault(faultOf(event.target.value))}
        onKeyDown={(event) => {
          // What is refused stays to be mended, with the reason below it.
          if (event.key === "Enter" && fault !== undefined) event.preventDefault();
          else if (event.key === "Escape") setFault(undefined);
        }}
        onCommit={(text) => {
          setFault(undefined);
          if (faultOf(text) === undefined) rename(ref, text);
        }}
      />
    </Field>
  );
}
