import type { Profile, ProfileOwner } from "../contract/index.js";

/** A frame in its place: shares of the width and rows from the bottom. */
export interface PlacedFrame {
  /** Its number in the profile. */
  frame: number;
  /** Share of the width left of it, 0 to 1. */
  left: number;
  /** Its own share of the width; 1 is the frame that is looked at. */
  width: number;
  /** 0 is the outermost caller. */
  row: number;
  name: string;
  owner: number;
  samples: number;
}

/** Frames by their callers; -1 has those that nobody called. */
function childrenOf({ frames }: Profile): Map<number, number[]> {
  const children = new Map<number, number[]>();
  frames.forEach(([parent], frame) => {
    const others = children.get(parent);
    if (others) others.push(frame);
    else children.set(parent, [frame]);
  });
  return children;
}

/**
 * Where frames stand: callers below what they called, each as wide as its share of the samples. `root` takes the whole
 * width, with its callers below it; -1 shows all. Those narrower than `narrowest` (a share) are left out.
 */
export function placeFrames(profile: Profile, root = -1, narrowest = 0): PlacedFrame[] {
  const { frames, names, samples } = profile;
  const children = childrenOf(profile);
  const whole = root < 0 ? samples : (frames[root]?.[3] ?? 0);
  if (whole === 0) return [];
  const callers: number[] = [];
  for (let at = root; at >= 0; at = frames[at]?.[0] ?? -1) callers.unshift(at);
  const placed: PlacedFrame[] = [];
  const put = (frame: number, left: number, width: number, row: number): void => {
    const [, name, owner, count] = frames[frame]!;
    placed.push({ frame, left, width, row, name: names[name] ?? "", owner, samples: count });
  };
  callers.forEach((frame, row) => put(frame, 0, 1, row));
  const waiting: { frame: number; left: number; row: number }[] = [
    { frame: root, left: 0, row: callers.length },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    let { left } = next;
    for (const frame of children.get(next.frame) ?? []) {
      const width = (frames[frame]?.[3] ?? 0) / whole;
      if (width >= narrowest) {
        put(frame, left, width, next.row);
        waiting.push({ frame, left, row: next.row + 1 });
      }
      left += width;
    }
  }
  return placed;
}

/** How many rows they take. */
export const rowsOf = (placed: readonly PlacedFrame[]): number =>
  placed.reduce((most, { row }) => Math.max(most, row + 1), 0);

/** What an owner is called. */
export const ownerText = ({ kind, name }: Pick<ProfileOwner, "kind" | "name">): string =>
  kind === "source" ? `source of ${name}` : kind === "service" ? name : kind;

/** 41.7 %. */
export const shareText = (samples: number, of: number): string =>
  `${(of === 0 ? 0 : (samples / of) * 100).toFixed(1)} %`;

/** Degrees around the colour circle by the golden angle, so that neighbours differ however many there are. */
const HUE_STEP = 137.508;
/** Far from the blue of the runtime, which stands beside nearly every service. */
const FIRST_HUE = 145;

/** Hue (degrees) and saturation (percent) of an owner's frames; what is nobody's is nearly grey. */
export function ownerColor(
  owners: readonly ProfileOwner[],
  index: number,
): { hue: number; saturation: number } {
  const kind = owners[index]?.kind ?? "other";
  if (kind === "runtime") return { hue: 214, saturation: 22 };
  if (kind === "kernel") return { hue: 28, saturation: 16 };
  if (kind === "other") return { hue: 0, saturation: 0 };
  // By name, not by place: a service keeps its colour from one recording to the next.
  const drawn = owners
    .filter((one) => one.kind === "service" || one.kind === "source")
    .map(ownerText)
    .sort();
  const place = drawn.indexOf(ownerText(owners[index]!));
  return { hue: Math.round((FIRST_HUE + place * HUE_STEP) % 360), saturation: 62 };
}
