import { binariesOfFlow } from "../../../kernel/document/flowBinaries.js";
import { useDocument } from "../../../kernel/document/index.js";
import { useProject } from "../../../kernel/server/projectStore.js";
import { Fact } from "../../../kernel/fields/Properties.js";

/** Where events can be posted now: a port that was drawn as 0 is known only while the binary runs. */
export function Doors({ flow, path }: { flow: string; path: string }) {
  const topology = useDocument((state) => state.topology);
  const statuses = useProject((state) => state.binaries);
  const serving = new Set(binariesOfFlow(topology, flow).map(({ name }) => name));
  const open = statuses
    .filter(({ binary }) => serving.has(binary))
    .flatMap(({ binary, http, processes }) => processes ?? [{ name: binary, http }])
    .filter(({ http }) => http !== null);
  return open.map(({ name, http }) => (
    <Fact key={name} label={open.length > 1 ? `Post to ${name}` : "Post to"}>
      http://{http}
      {path}
    </Fact>
  ));
}
