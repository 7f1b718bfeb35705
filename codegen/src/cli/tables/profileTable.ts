import type { Profile } from "../../contract/index.js";
import { ownerText, shareText } from "../../flame/index.js";

const CELLS = 32;

/** One line an owner, with a bar of its share of the CPU time. */
export function profileTable({ owners, samples }: Profile): string[] {
  const seen = owners.filter((owner) => owner.samples > 0);
  const names = Math.max(0, ...seen.map((owner) => ownerText(owner).length));
  return seen.map((owner) => {
    const bar = "#".repeat(Math.round((owner.samples / samples) * CELLS));
    return `${ownerText(owner).padEnd(names)}  ${shareText(owner.samples, samples).padStart(7)}  ${bar}`.trimEnd();
  });
}
