import { printTopology } from "@penstock/codegen/topology";
import { documentStore } from "../../kernel/document/index.js";

/** Hands the drawing to the browser as `topology.json`, byte for byte as it is on disk once saved. */
export function exportTopology(): void {
  const text = printTopology(documentStore.getState().topology);
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "topology.json";
  link.click();
  URL.revokeObjectURL(address);
}
