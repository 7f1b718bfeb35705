import { allTracks } from "../../kernel/live/liveStore.js";

/** The running binaries that have flows and sample none of their events. */
export const unsampled = (): string[] =>
  [...allTracks()]
    .filter(({ schema }) => schema !== null && schema.sampling === 0 && schema.flows.length > 0)
    .map(({ binary }) => binary);
