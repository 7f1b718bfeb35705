import type { Profile } from "../contract/index.js";
import { ownerColor, ownerText, placeFrames, rowsOf, shareText, type PlacedFrame } from "./layout.js";

const WIDTH = 1200;
const ROW = 18;
const TOP = 66;
const BOTTOM = 12;
/** Frames below this share of the width are no more than a hair, and left out. */
const NARROWEST = 0.0005;
/** A line holds no more; every frame says whose it is. */
const MOST_SHARES = 8;
/** `frame` is the lightness of frames, in percent: their names are read on it. */
const LIGHT = { paper: "#ffffff", ink: "#17212b", quiet: "#5f6d7b", frame: 76 };
const DARK = { paper: "#13171c", ink: "#e7ebf0", quiet: "#9da8b4", frame: 32 };

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
/** Names are what a binary calls its functions: anything. What XML has no place for is left out. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? "");

const percent = (share: number): string => `${+(share * 100).toFixed(4)}%`;

function style({ owners }: Profile): string {
  const fills = (lightness: number): string =>
    owners
      .map((_, index) => {
        const { hue, saturation } = ownerColor(owners, index);
        return `.o${index} rect{fill:hsl(${hue} ${saturation}% ${lightness}%)}`;
      })
      .join("");
  const theme = ({ paper, ink, quiet, frame }: typeof LIGHT): string =>
    `.paper{fill:${paper}}text{fill:${ink}}.quiet{fill:${quiet}}.f rect{stroke:${paper}}.lit rect{stroke:${ink}}${fills(frame)}`;
  return [
    "text{font:12px ui-monospace,monospace}.title{font:600 16px system-ui,sans-serif}",
    ".words{font:13px system-ui,sans-serif}.f{cursor:pointer}.f rect{stroke-width:.5}.dim{opacity:.35}",
    `.f:hover rect{stroke-width:1.5}${theme(LIGHT)}`,
    `@media (prefers-color-scheme:dark){${theme(DARK)}}`,
  ].join("");
}

/**
 * A click shows a frame over the whole width, a click beside the frames everything again. It reads numbers that stand in the
 * page, of samples, and sets numbers, and loads nothing.
 */
const zoom = (samples: number): string => `
const all=[...document.querySelectorAll(".f")].map(g=>({g,x:+g.dataset.x,w:+g.dataset.w,r:+g.dataset.r}));
const show=(f)=>{for(const o of all){const under=o.r<f.r&&o.x<=f.x&&o.x+o.w>=f.x+f.w;
const inside=o.r>=f.r&&o.x>=f.x&&o.x+o.w<=f.x+f.w;o.g.style.display=under||inside?"":"none";
o.g.setAttribute("x",under?"0%":(o.x-f.x)/f.w*100+"%");o.g.setAttribute("width",under?"100%":o.w/f.w*100+"%")}};
for(const o of all)o.g.addEventListener("click",()=>show(o));
document.querySelector(".paper").addEventListener("click",()=>show({x:0,w:${samples},r:-1}));`;

function drawFrame(
  { left, width, row, name, owner, samples }: PlacedFrame,
  profile: Profile,
  height: number,
  highlighted: number | undefined,
): string {
  const y = height - BOTTOM - (row + 1) * ROW;
  const lit = highlighted === undefined ? "" : owner === highlighted ? " lit" : " dim";
  const whose = profile.owners[owner];
  const words = `${name}: ${samples} samples, ${shareText(samples, profile.samples)}${whose ? `, ${ownerText(whose)}` : ""}`;
  return [
    `<svg class="f o${owner}${lit}" x="${percent(left)}" y="${y}" width="${percent(width)}" height="${ROW}"`,
    ` data-x="${Math.round(left * profile.samples)}" data-w="${samples}" data-r="${row}"><title>${escapeXml(words)}</title>`,
    `<rect width="100%" height="${ROW}"/><text x="4" y="13">${escapeXml(name)}</text></svg>`,
  ].join("");
}

/**
 * A flame graph as a page of its own: light and dark, with nothing from elsewhere. `highlight` is the name of a service or
 * flow whose frames stand out.
 */
export function flameSvg(profile: Profile, highlight?: string): string {
  const placed = placeFrames(profile, -1, NARROWEST);
  const rows = rowsOf(placed);
  const height = TOP + Math.max(1, rows) * ROW + BOTTOM;
  const found = profile.owners.findIndex(({ name }) => name !== "" && name === highlight);
  const highlighted = found < 0 ? undefined : found;
  const title = `CPU time of ${profile.binary}`;
  const counted = profile.owners.filter((owner) => owner.samples > 0);
  const shares = [...counted]
    .sort((a, b) => b.samples - a.samples)
    .slice(0, MOST_SHARES)
    .map((owner) => `${ownerText(owner)} ${shareText(owner.samples, profile.samples)}`)
    .join(" · ")
    .concat(counted.length > MOST_SHARES ? " · …" : "");
  const about = `${profile.samples} samples in ${profile.seconds} s; as wide as its share, callers below what they called`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="${height}" style="min-width:${WIDTH}px">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${style(profile)}</style>`,
    `<rect class="paper" width="100%" height="${height}"/>`,
    `<text class="title" x="12" y="24">${escapeXml(title)}</text>`,
    `<text class="words quiet" x="12" y="42">${escapeXml(about)}</text>`,
    `<text class="words" x="12" y="59">${escapeXml(shares)}</text>`,
    ...placed.map((frame) => drawFrame(frame, profile, height, highlighted)),
    `<script><![CDATA[${zoom(profile.samples)}]]></script>`,
    "</svg>",
    "",
  ].join("\n");
}
