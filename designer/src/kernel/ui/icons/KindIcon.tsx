import {
  Box,
  Boxes,
  Braces,
  Cpu,
  FileText,
  Globe,
  Hourglass,
  Layers,
  List,
  Lock,
  Plug,
  Radio,
  ShieldAlert,
  Split,
  Timer,
  Zap,
  type LucideIcon,
} from "lucide-react";

export type IconKind =
  | "simple"
  | "single-threaded"
  | "sync-remote"
  | "async-remote"
  | "side-effect"
  | "catch"
  | "rate"
  | "http"
  | "file"
  | "service"
  | "own-source"
  | "bundle"
  | "binary"
  | "pool"
  | "message"
  | "enum";

const KINDS: Record<IconKind, { icon: LucideIcon; color: string }> = {
  simple: { icon: Layers, color: "var(--pool-1)" },
  "single-threaded": { icon: Lock, color: "var(--pool-6)" },
  "sync-remote": { icon: Hourglass, color: "var(--pool-2)" },
  "async-remote": { icon: Zap, color: "var(--pool-3)" },
  "side-effect": { icon: Split, color: "var(--text-2)" },
  catch: { icon: ShieldAlert, color: "var(--bad)" },
  rate: { icon: Timer, color: "var(--accent)" },
  http: { icon: Globe, color: "var(--accent)" },
  file: { icon: FileText, color: "var(--accent)" },
  service: { icon: Plug, color: "var(--accent)" },
  "own-source": { icon: Radio, color: "var(--accent)" },
  bundle: { icon: Boxes, color: "var(--text-2)" },
  binary: { icon: Box, color: "var(--text-2)" },
  pool: { icon: Cpu, color: "var(--text-2)" },
  message: { icon: Braces, color: "var(--pool-5)" },
  enum: { icon: List, color: "var(--pool-4)" },
};

/** CSS colour of a kind, the same on tile, icon and minimap. */
export const kindColor = (kind: IconKind): string => KINDS[kind].color;

export interface KindIconProps {
  kind: IconKind;
  size?: number;
  /** In a tinted square, as on nodes. */
  tile?: boolean;
}

export function KindIcon({ kind, size = 14, tile }: KindIconProps) {
  const { icon: Icon, color } = KINDS[kind];
  const style = { "--kind": color } as React.CSSProperties;
  const drawn = <Icon size={size} strokeWidth={1.75} aria-hidden className="kind-icon" style={style} />;
  return tile ? (
    <span className="kind-tile" style={style}>
      {drawn}
    </span>
  ) : (
    drawn
  );
}
