import { documentStore, openCode } from "../../kernel/document/index.js";
import { hasEventCode } from "../../kernel/document/edits/flows.js";
import { serviceOfNode } from "../../drawing/edits/connect.js";
import { parseCanvasRef } from "../../kernel/document/canvasRefs.js";
import { startNaming } from "../../drawing/screen/naming.js";

/** What a double click on a node opens: its name on the name, else the code that the user writes for it. */
export function openNode(node: string, onName: boolean): void {
  const { topology, readOnly } = documentStore.getState();
  if (onName) {
    if (!readOnly) startNaming(node);
    return;
  }
  const service = serviceOfNode(topology, node);
  if (service !== undefined) return openCode(`service:${service}`);
  const ref = parseCanvasRef(node);
  const flow = ref?.kind === "flow" ? topology.flows.find(({ name }) => name === ref.flow) : undefined;
  if (flow && hasEventCode(flow)) openCode(`flow:${flow.name}`);
}
