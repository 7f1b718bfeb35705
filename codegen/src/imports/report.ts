import type { LeftOut, Renamed } from "./described/described.js";

/** What an import adds, and what a person should know of it. */
export interface ImportReport {
  messages: Renamed[];
  enums: Renamed[];
  services: Renamed[];
  bundles: Renamed[];
  /** Described, and drawn already in the same words. */
  kept: Renamed[];
  /** Fields, oneofs and enum values that could not keep their names, and what the reader says of its own. */
  renamed: Renamed[];
  leftOut: LeftOut[];
  notes: string[];
}

/** Nothing but what is drawn already. */
export const addsNothing = ({ messages, enums, services, bundles }: ImportReport): boolean =>
  [messages, enums, services, bundles].every((list) => list.length === 0);
