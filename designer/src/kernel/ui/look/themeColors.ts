/** Colours as a canvas needs them: read from the page's tokens, resolved for the theme in force. */
const NAMES = [
  "canvas",
  "surface-1",
  "surface-2",
  "surface-3",
  "line",
  "line-strong",
  "text-1",
  "text-2",
  "text-3",
  "accent",
  "ok",
  "warn",
  "bad",
  "blocked",
  "pool-1",
  "pool-2",
  "pool-3",
  "pool-4",
  "pool-5",
  "pool-6",
] as const;
export type ColorName = (typeof NAMES)[number];
export type ThemeColors = Record<ColorName, string>;

let known: { epoch: number; colors: ThemeColors } | undefined;

/** Colours of a theme, by the theme store's epoch: reading costs a style calculation a colour, so once a theme. */
export function readThemeColors(epoch: number): ThemeColors {
  if (known?.epoch !== epoch) known = { epoch, colors: resolve() };
  return known.colors;
}

function resolve(): ThemeColors {
  const probe = document.createElement("span");
  probe.style.display = "none";
  document.body.append(probe);
  const colors = {} as ThemeColors;
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`;
    colors[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colors;
}

/** A colour of the theme with less weight: `rgb(1, 2, 3)` to `rgb(1 2 3 / 20%)`. */
export function faded(color: string, percent: number): string {
  const parts = color.match(/[\d.]+/g);
  return parts && parts.length >= 3 ? `rgb(${parts[0]} ${parts[1]} ${parts[2]} / ${percent}%)` : color;
}
