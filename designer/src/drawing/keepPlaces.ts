import type { DocumentModel } from "../kernel/document/index.js";
import { placed } from "../kernel/document/edits/layout.js";
import { canvasBoxes, drawnItems } from "./boxes.js";

/** Writes down where things are drawn that nobody has placed yet, so that they stay there. */
export function keepPlaces(model: DocumentModel): DocumentModel {
  const missing = drawnItems(model.topology).filter((item) => !model.layout.nodes[item.ref]);
  if (missing.length === 0) return model;
  const boxes = canvasBoxes(model.topology, model.layout);
  const places = missing.flatMap(({ ref }) => {
    const box = boxes.get(ref);
    return box ? [[ref, { x: box.x, y: box.y }] as const] : [];
  });
  return placed(model, Object.fromEntries(places));
}
