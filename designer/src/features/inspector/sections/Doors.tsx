import { binariesOfFlow } from "../../../kernel/document/flowBinaries.js";
import { useDocument } from "../../../kernel/document/index.js";
import { useProject } from "../../../kernel/server/projectStore.js";
import { Fact } from "../../../kernel/fields/Properties.js";

/** Where events can be posted now: a port that was drawn as 0 is known only while the binary runs. */
export function Doors({ flow, path }: { flow: string; path: string }) {
  const topology = useDocument((state) => state.topology);
  const statuses = useProject((state) => state.binaries);
  const serving = new Set(binariesOfFlow(topology, flow).map(({ name }) => name));
  const open = statuses.filter(({ binary, http }) => http !== null && serving.has(binary));
  return open.map(({ binary, http }) => (
    <Fact key={binary} label={open.length > 1 ? `Post to ${binary}` : "Post to"}>
      http://{http}
      {path}
    </Fact>
  ));
}
