import type { NameKind } from "@penstock/codegen/validate";
import type { ReactNode } from "react";
import { KindIcon, TextArea, type IconKind } from "../../../kernel/ui/index.js";
import { NameField } from "../../../kernel/fields/NameField.js";

export interface HeadProps {
  /** What is renamed when the name is edited. */
  nodeRef: string;
  name: string;
  icon: IconKind;
  /** In the place of the icon. */
  picture?: ReactNode;
  /** Which name rule holds for it. */
  rule: NameKind;
  doc?: string | undefined;
  onDoc?: (doc: string | undefined) => void;
  actions?: ReactNode;
  swatch?: string;
}

/** Name and one line about it, both edited where they stand. */
export function Head({ nodeRef, name, icon, picture, rule, doc, onDoc, actions, swatch }: HeadProps) {
  return (
    <header className="inspector-head">
      <div className="inspector-title">
        {swatch ? (
          <span className="swatch" style={{ background: swatch }} />
        ) : (
          (picture ?? <KindIcon kind={icon} />)
        )}
        <NameField nodeRef={nodeRef} name={name} rule={rule} />
        {actions}
      </div>
      {onDoc ? (
        <TextArea
          className="inspector-doc"
          aria-label={`What ${name} is for`}
          placeholder="What it is for"
          rows={1}
          value={doc ?? ""}
          onCommit={(text) => onDoc(text.trim() || undefined)}
        />
      ) : null}
    </header>
  );
}
