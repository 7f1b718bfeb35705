import type { Binary, Topology } from "../../model/topology/index.js";
import { doorsOf } from "../../run/index.js";
import { announcedPlaces } from "../binaries/announcedPlaces.js";
import { knownProcesses } from "../binaries/runningBinaries.js";
import { drawnPlaces, type Listed } from "./objectsOf.js";

/** Where the processes of each binary are: as they announce it, else as it is drawn. */
export const listedIn = ({ name, binaries }: Topology): Promise<Listed[]> =>
  Promise.all(binaries.map(async (binary) => (await announced(name, binary)) ?? drawnPlaces(binary)));

/** Undefined: it announces itself nowhere. */
async function announced(project: string, binary: Binary): Promise<Listed | undefined> {
  const told = await announcedPlaces(project, binary);
  if (told === undefined) return undefined;
  const { places, why = told.misfit ?? "no process of it is announced" } = told;
  return { binary, places, ...(places.length === 0 ? { why } : {}) };
}

/** Of these places those at which somebody on this host listens. */
export async function openPlaces(
  dir: string,
  binary: string,
  places: readonly string[],
): Promise<ReadonlySet<string>> {
  if (places.length === 0) return new Set();
  const known = await knownProcesses(dir);
  const pids = known.flatMap((one) => (one.attached || one.binary !== binary ? [] : [one.pid]));
  // As of what is announced: it may listen at all addresses of its host.
  const doors = await doorsOf(dir, { name: binary, listen: [] }, pids, places);
  return new Set(doors.filter(({ isOpen }) => isOpen).map(({ place }) => place));
}

/** Without the places at which nobody on this host listens. */
export const onlyRunning = (dir: string, listed: readonly Listed[]): Promise<Listed[]> =>
  Promise.all(
    listed.map(async ({ binary, places, why }) => {
      const open = await openPlaces(dir, binary.name, places);
      const left = places.filter((place) => open.has(place));
      const reason = why ?? (left.length === 0 ? `nobody listens at ${places.join(", ")} here` : undefined);
      return { binary, places: left, ...(reason === undefined ? {} : { why: reason }) };
    }),
  );
