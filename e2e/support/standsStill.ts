import type { Locator } from "@playwright/test";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where an element is, on the page, once it has been there for three pictures: what moves it is over by then. */
export async function standsStill(what: Locator): Promise<Box> {
  for (;;) {
    const box = await what.evaluate(async (element) => {
      const place = (): Box => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x, y, width, height };
      };
      const picture = (): Promise<Box> =>
        new Promise((resolve) => requestAnimationFrame(() => resolve(place())));
      let [last, still] = [place(), 0];
      while (still < 3) {
        // Another may have taken its place.
        if (!element.isConnected) return undefined;
        const now = await picture();
        still = now.width > 0 && JSON.stringify(now) === JSON.stringify(last) ? still + 1 : 0;
        last = now;
      }
      return last;
    });
    if (box) return box;
  }
}
