import type { Page } from "@playwright/test";

const STEPS = 60;

/** What somebody does with a drawing, at the pace at which the page takes it. */
export const GESTURES: Record<string, (page: Page) => Promise<void>> = {
  pan: async (page) => {
    await overCanvas(page);
    for (let step = 0; step < STEPS; step++)
      await page.mouse.wheel(step % 20 < 10 ? 40 : -40, step % 20 < 10 ? 12 : -12);
  },
  zoom: async (page) => {
    await overCanvas(page);
    await page.keyboard.down("Control");
    for (let step = 0; step < STEPS; step++) await page.mouse.wheel(0, step % 20 < 10 ? -40 : 40);
    await page.keyboard.up("Control");
  },
  drag: async (page) => {
    const box = await page.locator('.react-flow__node[data-id$="Service85"]').boundingBox();
    if (!box) throw new Error("the node to drag is not on the screen");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= STEPS; step++)
      await page.mouse.move(x + 3 * (step <= STEPS / 2 ? step : STEPS - step), y + step);
    await page.mouse.up();
  },
};

async function overCanvas(page: Page): Promise<void> {
  const box = await page.locator(".react-flow").boundingBox();
  if (!box) throw new Error("there is no drawing on the page");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

/** As text: the loader that runs this file names functions with a helper that pages do not have. */
const NOTE_FRAMES = `
  window.frames_ = [];
  let last = performance.now();
  requestAnimationFrame(function tick(now) {
    window.frames_.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  });
`;

/** Time from one picture of the page to the next while `gesture` lasts: the 95th percentile, in milliseconds. */
export async function frameP95(page: Page, gesture: (page: Page) => Promise<void>): Promise<number> {
  await page.evaluate(NOTE_FRAMES);
  await page.evaluate("window.frames_.length = 0");
  await gesture(page);
  const frames = (await page.evaluate<number[]>("window.frames_")).toSorted((a, b) => a - b);
  const p95 = frames[Math.floor(frames.length * 0.95)];
  if (p95 === undefined) throw new Error("the page drew nothing");
  return p95;
}

/**
 * Notes when the picture with the nodes has been handed over, painted or as elements (`opened_`), and when
 * they can be pointed at (`ready_`): after the frame that follows the one in which they came.
 */
export const NOTE_OPENED = `
  const notes = { opened_: ".react-flow__node, [data-painted]", ready_: ".react-flow__node" };
  new MutationObserver(() => {
    for (const [name, found] of Object.entries(notes)) {
      if (!document.querySelector(found)) continue;
      delete notes[name];
      requestAnimationFrame(() => setTimeout(() => (window[name] = performance.now())));
    }
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-painted"] });
`;
