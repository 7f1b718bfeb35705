import type { DocumentModel } from "../../kernel/document/index.js";
import { placed, snapped } from "../../kernel/document/edits/layout.js";
import type { Box, Size } from "./box.js";
import { canvasBoxes } from "./boxes.js";

/** Least gap between something new and what is there, and how far it moves on to find one. */
const GAP = 11;
const STEP = 22;
const TRIES = 80;

const covers = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width + GAP &&
  b.x < a.x + a.width + GAP &&
  a.y < b.y + b.height + GAP &&
  b.y < a.y + a.height + GAP;

/** Where something new goes that was asked for at a point: there, or as far below as it covers nothing. */
export function freeSpot(
  model: DocumentModel,
  at: { x: number; y: number },
  size: Size,
): { x: number; y: number } {
  const taken = [...canvasBoxes(model.topology, model.layout)].flatMap(([ref, box]) =>
    ref.startsWith("bundle:") ? [] : [box],
  );
  const spot = { x: snapped(at.x), y: snapped(at.y) };
  for (let tries = 0; tries < TRIES; tries++) {
    const wanted = { ...spot, ...size };
    if (!taken.some((box) => covers(wanted, box))) break;
    spot.y += STEP;
  }
  return spot;
}

type Places = Record<string, { x: number; y: number }>;

/** Boxes of what `of` has, and of all else that is drawn but borders. */
function apart(model: DocumentModel, of: object): [own: Box[], others: Box[]] {
  const boxes = [...canvasBoxes(model.topology, model.layout)];
  return [
    boxes.flatMap(([ref, box]) => (ref in of ? [box] : [])),
    boxes.flatMap(([ref, box]) => (ref in of || ref.startsWith("bundle:") ? [] : [box])),
  ];
}

/** Whether none of what `of` names lies on something else. */
export function liesFree(model: DocumentModel, of: object): boolean {
  const [own, others] = apart(model, of);
  return !own.some((box) => others.some((other) => covers(box, other)));
}

/** Places of new things, moved down together as far as it takes to cover nothing that was there. */
export function freePlaces(model: DocumentModel, places: Places): Places {
  const [fresh, old] = apart(placed(model, places), places);
  let down = 0;
  for (let tries = 0; tries < TRIES; tries++, down += STEP)
    if (!fresh.some((box) => old.some((other) => covers({ ...box, y: box.y + down }, other)))) break;
  return Object.fromEntries(Object.entries(places).map(([ref, { x, y }]) => [ref, { x, y: y + down }]));
}
