import type { ReactNode } from "react";

export type BadgeTone = "live" | "rebuild" | "ok" | "warn" | "bad" | "accent" | "neutral";

const TONES: Record<BadgeTone, string> = {
  live: "var(--ok)",
  rebuild: "var(--text-3)",
  ok: "var(--ok)",
  warn: "var(--warn)",
  bad: "var(--bad)",
  accent: "var(--accent)",
  neutral: "var(--text-2)",
};

export interface BadgeProps {
  tone?: BadgeTone;
  /** A CSS colour instead of a tone: pools and kinds. */
  color?: string;
  mono?: boolean;
  /** Round, for counts. */
  round?: boolean;
  title?: string;
  children?: ReactNode;
}

/** A small tinted label. `live` and `rebuild` say by themselves what they mean. */
export function Badge({ tone = "neutral", color, mono, round, title, children }: BadgeProps) {
  const tag = tone === "live" || tone === "rebuild";
  const words = children ?? (tone === "live" ? "live" : tone === "rebuild" ? "needs rebuild" : null);
  return (
    <span
      className="badge"
      data-mono={mono ?? false}
      data-round={round ?? false}
      data-caps={tag}
      data-quiet={tone === "rebuild"}
      title={title}
      style={{ "--tone": color ?? TONES[tone] } as React.CSSProperties}
    >
      {words}
    </span>
  );
}
