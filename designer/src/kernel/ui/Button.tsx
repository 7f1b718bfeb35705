import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { useChief } from "./chiefButton.js";
import { Tooltip } from "./Tooltip.js";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Of several `primary` ones on a screen only the last that came is shown as that. */
  variant?: "primary" | "secondary" | "ghost" | "danger";
  /** Primary where nothing else is, e.g. in the bar that is always there. */
  yields?: boolean;
  size?: "sm" | "md";
  icon?: ReactNode;
  /** A small number behind the words, e.g. changes waiting to be applied; 0 shows nothing. */
  count?: number;
}

export function Button({
  variant = "secondary",
  yields = false,
  size = "md",
  icon,
  count,
  children,
  ...rest
}: ButtonProps) {
  const chief = useChief(variant === "primary", yields);
  const shown = variant === "primary" && !chief ? "secondary" : variant;
  return (
    <button
      type="button"
      {...rest}
      className={`btn btn-${shown} ${size === "sm" ? "btn-sm" : ""} ${rest.className ?? ""}`}
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
  ref?: Ref<HTMLButtonElement>;
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
