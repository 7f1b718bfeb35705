import { announcedAt, isSecured, transportTo, type Binary } from "../../model/topology/index.js";
import { announcedTo, type Announced } from "../../run/index.js";

/** Where the processes of a binary are called, of what they announce: one place each. */
export interface CalledAt {
  places: string[];
  /** They announce themselves, and nobody calls any of them there. */
  misfit?: string;
}

/** Of each process the first address that is spoken to as the drawing has callers do it (net/remote/discovery/nats_discovery.cpp). */
export function calledAt(
  processes: readonly Announced[],
  binary: Pick<Binary, "discovery" | "listen">,
): CalledAt {
  const transport = transportTo(binary);
  // Without keys nobody is called beyond the host.
  const isClear = transport === "tcp" || transport === "udp";
  const fits = (address: string): boolean =>
    address.startsWith(`${transport}://`) && isSecured(address) === !isClear;
  const places = processes.flatMap(({ addresses }) => addresses.find(fits) ?? []);
  if (places.length > 0 || processes.length === 0) return { places };
  const [other = "no address that is known here"] = processes.flatMap(({ addresses }) => addresses);
  return {
    places,
    misfit: `it announces itself at ${other}, and by the drawing it is called over ${transport}`,
  };
}

/** The same of those that its server knows of; or why that is not known. Undefined: it announces itself nowhere. */
export async function announcedPlaces(
  project: string,
  binary: Binary,
): Promise<(CalledAt & { why?: string }) | undefined> {
  const server = announcedAt(binary);
  if (server === undefined) return undefined;
  try {
    return calledAt(await announcedTo({ server, project, binary: binary.name }), binary);
  } catch (error) {
    return { places: [], why: (error as Error).message };
  }
}
