import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Tooltip } from "./Tooltip.js";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** At most one `primary` on a screen. */
  variant?: "primary" | "secondary" | "ghost" | "danger";
  size?: "sm" | "md";
  icon?: ReactNode;
  /** A small number behind the words, e.g. changes waiting to be applied; 0 shows nothing. */
  count?: number;
}

export function Button({ variant = "secondary", size = "md", icon, count, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`btn btn-${variant} ${size === "sm" ? "btn-sm" : ""} ${rest.className ?? ""}`}
    >
      {icon}
      {children}
      {count ? <span className="btn-count">{count}</span> : null}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> {
  /** Its accessible name, shown as a tooltip. */
  label: string;
  icon: ReactNode;
  shortcut?: string;
  size?: "sm" | "md";
  /** Given: a toggle. */
  pressed?: boolean;
  side?: "top" | "right" | "bottom" | "left";
}

export function IconButton({ label, icon, shortcut, size = "md", pressed, side, ...rest }: IconButtonProps) {
  return (
    <Tooltip content={label} {...(shortcut ? { shortcut } : {})} {...(side ? { side } : {})}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={pressed}
        {...rest}
        className={`icon-btn ${size === "sm" ? "icon-btn-sm" : ""} ${rest.className ?? ""}`}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
