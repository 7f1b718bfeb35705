import type { ReactNode } from "react";

/** A line of a menu at the pointer. */
export type MenuLine =
  | "separator"
  | { heading: string }
  /** A command by name, with its own label and shortcut. */
  | { command: string }
  | {
      label: string;
      icon?: ReactNode;
      hint?: string;
      checked?: boolean;
      danger?: boolean;
      disabled?: boolean;
      perform: () => void;
    };
