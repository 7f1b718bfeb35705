import { routesOf, type Binary } from "@penstock/codegen/topology";
import { useDocument } from "../document/index.js";
import { drawnName } from "../live/liveStore.js";
import { useProject } from "../server/projectStore.js";

/** Where the processes of these binaries, by the names drawn, take HTTP now: a port that was drawn as 0 is known only while they run. */
export function useOpenDoors(binaries: ReadonlySet<string>): { binary: string; name: string; url: string }[] {
  const statuses = useProject((state) => state.binaries);
  return statuses
    .filter(({ binary }) => binaries.has(drawnName(binary)))
    .flatMap(({ binary, http, tls = false, processes = [{ name: binary, http, tls }] }) =>
      processes.flatMap(({ name, http, tls = false }) =>
        http === null ? [] : [{ binary: drawnName(binary), name, url: urlAt(http, tls) }],
      ),
    );
}

/** How this machine asks at an address; that of all its addresses is no host that a certificate names. */
export const urlAt = (address: string, tls: boolean): string =>
  `${tls ? "https" : "http"}://${address
    .replace(/^0\.0\.0\.0:/, "127.0.0.1:")
    .replace(/^\[::\]:/, "[::1]:")}`;

/** An exposed service at a process that takes HTTP now. */
export interface OpenService {
  service: string;
  binary: Binary;
  /** The process. */
  name: string;
  /** `http://127.0.0.1:8080`, and what comes behind it. */
  door: string;
  path: string;
}

/** What is drawn as exposed, wherever it is open. */
export function useOpenServices(): OpenService[] {
  const topology = useDocument((state) => state.topology);
  const drawn = topology.binaries.flatMap((binary) =>
    routesOf(topology, binary).map(({ service, path }) => ({ service, binary, path })),
  );
  const doors = useOpenDoors(new Set(drawn.map(({ binary }) => binary.name)));
  return doors.flatMap(({ binary: of, name, url: door }) =>
    drawn.filter(({ binary }) => binary.name === of).map((one) => ({ ...one, name, door })),
  );
}
