import type { Profile } from "@penstock/codegen/contract";
import { ownerColor, ownerText, placeFrames, rowsOf, shareText } from "@penstock/codegen/flame";
import { useMemo } from "react";

const ROW_PX = 18;
/** Narrower ones are no more than a hair. */
const NARROWEST = 0.0008;

export const frameColor = (profile: Profile, owner: number): string => {
  const { hue, saturation } = ownerColor(profile.owners, owner);
  return `light-dark(hsl(${hue} ${saturation}% 76%), hsl(${hue} ${saturation}% 32%))`;
};

interface FlameGraphProps {
  profile: Profile;
  /** The frame that takes the whole width; -1 shows all. */
  root: number;
  onRoot: (frame: number) => void;
  /** The owner whose frames stand out; -1: none. */
  highlight: number;
}

/** Callers below what they called, each as wide as its share of the CPU time; a click shows a frame over the whole width. */
export function FlameGraph({ profile, root, onRoot, highlight }: FlameGraphProps) {
  const placed = useMemo(() => placeFrames(profile, root, NARROWEST), [profile, root]);
  const rows = Math.max(1, rowsOf(placed));
  return (
    <div className="flame">
      <div
        role="img"
        aria-label={`Flame graph of ${profile.binary}`}
        className="flame-frames"
        style={{ height: rows * ROW_PX }}
        onClick={({ target }) => {
          const frame = (target as HTMLElement).dataset["frame"];
          if (frame !== undefined) onRoot(Number(frame));
        }}
      >
        {placed.map(({ frame, left, width, row, name, owner, samples }) => {
          const whose = profile.owners[owner];
          return (
            <div
              key={frame}
              data-frame={frame}
              className="flame-frame mono"
              data-dim={highlight >= 0 && owner !== highlight ? "" : undefined}
              style={{
                left: `${left * 100}%`,
                width: `${width * 100}%`,
                bottom: row * ROW_PX,
                height: ROW_PX,
                background: frameColor(profile, owner),
              }}
              title={`${name}: ${samples} samples, ${shareText(samples, profile.samples)}${whose ? `, ${ownerText(whose)}` : ""}`}
            >
              {width > 0.01 ? name : null}
            </div>
          );
        })}
      </div>
    </div>
  );
}
