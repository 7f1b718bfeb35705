import type { Size } from "./nodeSizes.js";

/** Where a thing is drawn, in canvas units. */
export interface Box extends Size {
  x: number;
  y: number;
}

/** A thing that is drawn, with its size; bundles come out of what is in them. */
export interface Item {
  ref: string;
  size: Size;
  bundle: string | undefined;
}
