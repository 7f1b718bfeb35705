import type { GoodParts } from "./goodParts.js";

/** One mistake in an otherwise sound document, and where it has to be shown. */
export interface BadExample<Code extends string = string> {
  code: Code;
  /** What the user did. */
  title: string;
  /** Spoils the good document; or the whole text of a document that is none. */
  spoil: ((parts: GoodParts) => void) | string | Uint8Array;
  pointer: string;
  node?: string;
  severity?: "error" | "warning";
  /** Part of the help, where it has to say something exact. */
  help?: string;
}

/** Gives a part keys or values that its type does not allow, as a hand-written file may. */
export const force = (part: object, wrong: Record<string, unknown>): void => void Object.assign(part, wrong);

/** LogAd becomes a node; it takes Ad, gives nothing back, and holds a side-effect. */
export const asNode =
  (type: string, settings: Record<string, unknown> = {}, kind: GoodParts["logAd"]["kind"] = "simple") =>
  ({ logAd }: GoodParts): void => {
    logAd.kind = kind;
    logAd.node = { type, settings };
  };

/** LogAd becomes a node that gives an Ad back, as a map behind which nothing comes. */
export const asMap =
  (type: string, settings: Record<string, unknown>, kind: GoodParts["logAd"]["kind"] = "simple") =>
  (parts: GoodParts): void => {
    asNode(type, settings, kind)(parts);
    parts.logAd.response = "Ad";
    parts.log.role = "map";
  };
