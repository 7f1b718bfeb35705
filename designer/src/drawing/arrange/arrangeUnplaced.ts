import { documentStore } from "../../kernel/document/store.js";
import { placed } from "../../kernel/document/edits/layout.js";
import { arrangeAutomatically } from "./autoLayout.js";
import { drawnItems } from "../geometry/boxes.js";

/** Nobody has placed anything of what is drawn. */
const isUnplaced = (): boolean => {
  const { topology, layout } = documentStore.getState();
  const items = drawnItems(topology);
  return items.length > 1 && items.every((item) => !layout.nodes[item.ref]);
};

/**
 * Arranges a drawing that came without places (no layout.json, or none that could be used). Looking at a
 * project changes nothing: it is no step of the history, and is saved with the next edit.
 */
export async function arrangeUnplaced(arrange = arrangeAutomatically): Promise<void> {
  if (!isUnplaced()) return;
  await arrange((places) => {
    // What was placed meanwhile stays.
    if (!isUnplaced()) return;
    documentStore.setState(({ topology, layout }) => ({
      layout: placed({ topology, layout }, places).layout,
    }));
  });
}
