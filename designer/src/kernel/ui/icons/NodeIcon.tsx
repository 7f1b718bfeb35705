import { Blocks } from "lucide-react";
import { PICTURES } from "./pictures.js";

export interface NodeIconProps {
  /** Of the manifest; a project's own node with another name has building blocks. */
  icon: string;
  color: string;
  /** In a tinted square, as on nodes. */
  tile?: boolean;
}

export function NodeIcon({ icon, color, tile }: NodeIconProps) {
  const Icon = PICTURES[icon] ?? Blocks;
  const style = { "--kind": color } as React.CSSProperties;
  const drawn = <Icon size={14} strokeWidth={1.75} aria-hidden className="kind-icon" style={style} />;
  return tile ? (
    <span className="kind-tile" style={style}>
      {drawn}
    </span>
  ) : (
    drawn
  );
}
