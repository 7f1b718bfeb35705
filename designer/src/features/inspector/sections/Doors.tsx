import { httpOf, isHttps } from "@penstock/codegen/topology";
import { binariesOfFlow } from "../../../kernel/document/flowBinaries.js";
import { useDocument } from "../../../kernel/document/index.js";
import { useProject } from "../../../kernel/server/projectStore.js";
import { Fact } from "../../../kernel/fields/Properties.js";

/** Where the processes of these binaries take HTTP now: a port that was drawn as 0 is known only while they run. */
export function useOpenDoors(binaries: ReadonlySet<string>): { name: string; url: string }[] {
  const statuses = useProject((state) => state.binaries);
  const drawn = useDocument((state) => state.topology.binaries);
  return statuses
    .filter(({ binary }) => binaries.has(binary))
    .flatMap((status) =>
      (status.processes ?? [{ name: status.binary, http: status.http }]).map((process) => ({
        ...process,
        of: status.binary,
      })),
    )
    .flatMap(({ name, http, of }) => {
      const door = drawn.find((binary) => binary.name === of);
      return http === null ? [] : [{ name, url: urlAt(http, isHttps((door && httpOf(door)) ?? {})) }];
    });
}

/** Where this machine asks at an address; that of all its addresses is no host that a certificate names. */
const urlAt = (address: string, secured: boolean): string =>
  `${secured ? "https" : "http"}://${address.replace(/^0\.0\.0\.0:/, "127.0.0.1:").replace(/^\[::\]:/, "[::1]:")}`;

/** Where events of a flow can be posted now. */
export function Doors({ flow, path }: { flow: string; path: string }) {
  const topology = useDocument((state) => state.topology);
  const open = useOpenDoors(new Set(binariesOfFlow(topology, flow).map(({ name }) => name)));
  return open.map(({ name, url }) => (
    <Fact key={name} label={open.length > 1 ? `Post to ${name}` : "Post to"}>
      {url}
      {path}
    </Fact>
  ));
}
