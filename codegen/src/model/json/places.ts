import { pathOf } from "../diagnostics/index.js";
import { PositionCounter, type Position } from "../text/index.js";
import { JsonScanner } from "./scanner.js";

/** Pointers as a tree: what is asked for at a place, and below it. */
interface Asked {
  pointers: string[];
  below: Map<string, Asked>;
}

/**
 * Line and column of places in a text that reads as JSON (see readJson): of the key for what has one, else of the value.
 * A place that is not there has none. One pass over the text; throws JsonSyntaxError for another text.
 */
export function placesOf(text: string, pointers: Iterable<string>): Map<string, Position> {
  const root: Asked = { pointers: [], below: new Map() };
  for (const pointer of new Set(pointers)) {
    let asked = root;
    for (const step of pathOf(pointer)) {
      const next = asked.below.get(step) ?? { pointers: [], below: new Map() };
      asked.below.set(step, next);
      asked = next;
    }
    asked.pointers.push(pointer);
  }
  const places = new Map<string, Position>();
  const counter = new PositionCounter(text);
  const found = (asked: Asked | undefined, offset: number): void => {
    for (const pointer of asked?.pointers ?? []) places.set(pointer, counter.at(offset));
  };
  const scanner = new JsonScanner(text, () => {});
  scanner.peek();
  found(root, scanner.at);
  visit(scanner, root, found);
  return places;
}

type Found = (asked: Asked | undefined, offset: number) => void;

/** Takes one value. The text has been read before, so that its depth is bounded and its grammar sound. */
function visit(scanner: JsonScanner, asked: Asked | undefined, found: Found): void {
  const unit = scanner.peek();
  if (unit === 0x22) return void scanner.string();
  if (unit !== 0x7b && unit !== 0x5b) return void scanner.literal();
  const isObject = unit === 0x7b;
  const end = isObject ? 0x7d : 0x5d;
  scanner.at += 1;
  for (let index = 0; scanner.peek() !== end; index++) {
    if (index > 0) scanner.at += 1;
    scanner.peek();
    const at = scanner.at;
    let step = String(index);
    if (isObject) {
      step = scanner.string();
      scanner.peek();
      scanner.at += 1;
    }
    const inner = asked?.below.get(step);
    found(inner, at);
    visit(scanner, inner, found);
  }
  scanner.at += 1;
}
