import type { ReactNode } from "react";
import { Badge } from "./Badge.js";

export interface SectionProps {
  title: string;
  /** Whether a change here reaches the running binary at once or needs a build. */
  tag?: "live" | "rebuild" | undefined;
  action?: ReactNode;
  children: ReactNode;
}

export function Section({ title, tag, action, children }: SectionProps) {
  return (
    <section className="section" aria-label={title}>
      <div className="section-head">
        <span className="caps">{title}</span>
        {tag ? <Badge tone={tag} /> : null}
        {action}
      </div>
      {children}
    </section>
  );
}

export interface FieldProps {
  label: string;
  htmlFor?: string;
  children: ReactNode;
}

export function Field({ label, htmlFor, children }: FieldProps) {
  return (
    <div className="field">
      {htmlFor ? <label htmlFor={htmlFor}>{label}</label> : <span className="field-label">{label}</span>}
      {children}
    </div>
  );
}

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}

export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty">
      {icon}
      <span className="empty-title">{title}</span>
      {children ? <span>{children}</span> : null}
      {actions ? <div className="empty-actions">{actions}</div> : null}
    </div>
  );
}
