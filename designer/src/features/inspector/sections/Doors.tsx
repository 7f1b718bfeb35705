import { binariesOfFlow } from "../../../kernel/document/flowBinaries.js";
import { useDocument } from "../../../kernel/document/index.js";
import { useProject } from "../../../kernel/server/projectStore.js";
import { Fact } from "../../../kernel/fields/Properties.js";

/** Where the processes of these binaries take HTTP now: a port that was drawn as 0 is known only while they run. */
export function useOpenDoors(binaries: ReadonlySet<string>): { name: string; http: string }[] {
  const statuses = useProject((state) => state.binaries);
  return statuses
    .filter(({ binary }) => binaries.has(binary))
    .flatMap(({ binary, http, processes }) => processes ?? [{ name: binary, http }])
    .flatMap(({ name, http }) => (http === null ? [] : [{ name, http }]));
}

/** Where events of a flow can be posted now. */
export function Doors({ flow, path }: { flow: string; path: string }) {
  const topology = useDocument((state) => state.topology);
  const open = useOpenDoors(new Set(binariesOfFlow(topology, flow).map(({ name }) => name)));
  return open.map(({ name, http }) => (
    <Fact key={name} label={open.length > 1 ? `Post to ${name}` : "Post to"}>
      http://{http}
      {path}
    </Fact>
  ));
}
