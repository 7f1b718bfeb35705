import { binariesOfFlow } from "../../../kernel/document/edits/binaries.js";
import { useDocument } from "../../../kernel/document/index.js";
import { useOpenDoors } from "../../../kernel/run/openDoors.js";
import { Fact } from "../../../kernel/fields/Properties.js";

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
