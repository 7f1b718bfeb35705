import { useProject } from "../server/projectStore.js";

/** Where the processes of these binaries take HTTP now: a port that was drawn as 0 is known only while they run. */
export function useOpenDoors(binaries: ReadonlySet<string>): { binary: string; name: string; url: string }[] {
  const statuses = useProject((state) => state.binaries);
  return statuses
    .filter(({ binary }) => binaries.has(binary))
    .flatMap(({ binary, http, tls = false, processes = [{ name: binary, http, tls }] }) =>
      processes.flatMap(({ name, http, tls = false }) =>
        http === null ? [] : [{ binary, name, url: urlAt(http, tls) }],
      ),
    );
}

/** How this machine asks at an address; that of all its addresses is no host that a certificate names. */
export const urlAt = (address: string, tls: boolean): string =>
  `${tls ? "https" : "http"}://${address
    .replace(/^0\.0\.0\.0:/, "127.0.0.1:")
    .replace(/^\[::\]:/, "[::1]:")}`;
