import { httpOf, isHttps, type Binary } from "@penstock/codegen/topology";
import { useDocument } from "../document/index.js";
import { useProject } from "../server/projectStore.js";

/** Where the processes of these binaries take HTTP now: a port that was drawn as 0 is known only while they run. */
export function useOpenDoors(binaries: ReadonlySet<string>): { binary: string; name: string; url: string }[] {
  const statuses = useProject((state) => state.binaries);
  const drawn = useDocument((state) => state.topology.binaries);
  return statuses
    .filter(({ binary }) => binaries.has(binary))
    .flatMap(({ binary, http, processes = [{ name: binary, http }] }) =>
      processes.flatMap(({ name, http }) => {
        const of = drawn.find((one) => one.name === binary);
        return http === null ? [] : [{ binary, name, url: urlAt(http, of ?? {}) }];
      }),
    );
}

/** How this machine asks at an address; that of all its addresses is no host that a certificate names. */
export const urlAt = (address: string, binary: Pick<Binary, "http">): string =>
  `${isHttps(httpOf(binary) ?? {}) ? "https" : "http"}://${address
    .replace(/^0\.0\.0\.0:/, "127.0.0.1:")
    .replace(/^\[::\]:/, "[::1]:")}`;
