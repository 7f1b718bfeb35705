import { CircleAlert, CircleDashed, TriangleAlert } from "lucide-react";
import type { Mark } from "./problemStore.js";

const ICONS = {
  error: { Icon: CircleAlert, color: "var(--bad)", label: "Error" },
  warning: { Icon: TriangleAlert, color: "var(--warn)", label: "Warning" },
  "to do": { Icon: CircleDashed, color: "var(--text-3)", label: "To do" },
};

/** How bad it is, before the words. */
export function ProblemIcon({ of, size = 14 }: { of: Mark | "to do"; size?: number }) {
  const { Icon, color, label } = ICONS[of];
  return <Icon size={size} strokeWidth={1.75} color={color} aria-label={label} />;
}
