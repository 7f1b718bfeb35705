import type { DocumentModel } from "../../kernel/document/index.js";
import { bundleRef } from "../../kernel/document/edits/bundles.js";
import { placed, snapped } from "../../kernel/document/edits/layout.js";
import type { Box, Size } from "./box.js";
import { canvasBoxes, drawnItems } from "./boxes.js";

/** Least gap between something new and what is there, and how far it moves on to find one. */
const GAP = 11;
const STEP = 22;
const TRIES = 80;

const covers = (a: Box, b: Box, gap = GAP): boolean =>
  a.x < b.x + b.width + gap &&
  b.x < a.x + a.width + gap &&
  a.y < b.y + b.height + gap &&
  b.y < a.y + a.height + gap;

/** Where something new goes that was asked for at a point: there, or as far below as it covers nothing. */
export function freeSpot(model: DocumentModel, at: Point, size: Size): Point {
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

interface Point {
  x: number;
  y: number;
}
type Places = Record<string, Point>;

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

const DIRECTIONS = [
  { x: 0, y: 1 },
  { x: 1, y: 0 },
  { x: 0, y: -1 },
  { x: -1, y: 0 },
] as const;

/** What is in a bundle moved together, as little as it takes until its border is around nothing else and crosses none. */
export function movedClear(model: DocumentModel, bundle: string): DocumentModel {
  const boxes = canvasBoxes(model.topology, model.layout);
  const border = boxes.get(bundleRef(bundle));
  const members = new Set(
    drawnItems(model.topology).flatMap((item) => (item.bundle === bundle ? [item.ref] : [])),
  );
  if (!border || members.size === 0) return model;
  const others = [...boxes].flatMap(([ref, box]) =>
    members.has(ref) || ref === bundleRef(bundle) ? [] : [box],
  );
  // The label of a bundle lies half above its border.
  const isFree = (by: Point): boolean =>
    !others.some((box) => covers({ ...border, x: border.x + by.x, y: border.y + by.y }, box, STEP));
  const ways = Array.from({ length: TRIES }, (_, tries) =>
    DIRECTIONS.map(({ x, y }) => ({ x: x * tries * STEP, y: y * tries * STEP })),
  );
  const by = ways.flat().find(isFree);
  if (!by || (by.x === 0 && by.y === 0)) return model;
  const places = [...boxes].flatMap(([ref, { x, y }]) =>
    members.has(ref) ? [[ref, { x: x + by.x, y: y + by.y }] as const] : [],
  );
  return placed(model, Object.fromEntries(places));
}
