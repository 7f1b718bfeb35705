import type { Reserved } from "@penstock/codegen/topology";
import { Lock } from "lucide-react";
import { useState } from "react";
import { Button, Input, suchAs } from "../../kernel/ui/index.js";
import { readReserved, reservedText } from "./reservedText.js";

interface ReservedFieldProps {
  /** Whose: a message or an enum. */
  of: string;
  reserved: Reserved | undefined;
  /** What `max` stands for. */
  last: number;
  onChange: (reserved: Reserved | undefined) => void;
}

/** Numbers and names that must not come again; a button as long as there are none. */
export function ReservedField({ of, reserved, last, onChange }: ReservedFieldProps) {
  const [asked, setAsked] = useState(false);
  const [fault, setFault] = useState<string>();
  if (reserved === undefined && !asked)
    return (
      <Button
        size="sm"
        variant="ghost"
        icon={<Lock size={14} strokeWidth={1.75} />}
        title="Numbers and names that were used once, and must not come again"
        onClick={() => setAsked(true)}
      >
        Reserve…
      </Button>
    );
  return (
    <label className="member-line">
      <span>Reserved</span>
      <Input
        mono
        autoFocus={asked}
        aria-label={`Reserved of ${of}`}
        placeholder={suchAs("4, 9 to 11, old_name")}
        value={reserved === undefined ? "" : reservedText(reserved)}
        error={fault}
        onCommit={(text) => {
          const read = readReserved(text, last);
          setFault("fault" in read ? read.fault : undefined);
          if (!("fault" in read)) onChange(read.reserved);
        }}
        onBlur={(event) => {
          if (event.target.value.trim() === "") setAsked(false);
        }}
      />
    </label>
  );
}
