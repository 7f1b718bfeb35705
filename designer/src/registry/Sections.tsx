import type { ComponentType } from "react";
import { contributed, type SectionPlaces } from "./feature.js";

/** The parts that features have for one place of the properties. */
export function Sections<P extends keyof SectionPlaces>({ at, of }: { at: P; of: SectionPlaces[P] }) {
  return contributed("sections").map((sections, index) => {
    const Section = sections[at] as ComponentType<SectionPlaces[P]> | undefined;
    return Section ? <Section key={index} {...of} /> : null;
  });
}
