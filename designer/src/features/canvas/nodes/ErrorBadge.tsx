import { CircleAlert } from "lucide-react";
import { Badge } from "../../../kernel/ui/index.js";

/** Something is wrong with a node. Its word gives way to a long name, its sign does not. */
export const ErrorBadge = () => (
  <span className="node-error" title="error">
    <Badge tone="bad">
      <CircleAlert size={11} aria-hidden />
      <span className="node-error-word">error</span>
    </Badge>
  </span>
);
