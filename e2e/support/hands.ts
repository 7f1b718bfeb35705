import type { Locator, Page } from "@playwright/test";
import type { Spot } from "./designer.js";

/**
 * A user's hands: each click, drag, key (or chord) and typed text counts as one action. Moving the
 * pointer, waiting and looking are none.
 */
export class Hands {
  actions = 0;

  constructor(readonly page: Page) {}

  async click(what: Locator): Promise<void> {
    this.actions += 1;
    await what.click();
  }

  async press(key: string): Promise<void> {
    this.actions += 1;
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.actions += 1;
    await this.page.keyboard.type(text);
  }

  async drag(from: Spot, to: Spot): Promise<void> {
    this.actions += 1;
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 8 });
    await mouse.move(to.x, to.y, { steps: 8 });
    await mouse.up();
  }

  async point(canvas: Locator, position: Spot): Promise<void> {
    await canvas.hover({ position });
  }
}

/**
 * Draws a lasso. First to its middle at once: as long as the pointer is near the edge of the canvas, the drawing moves,
 * by the frame.
 */
export async function lasso({ mouse }: Page, from: Spot, to: Spot): Promise<void> {
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
  await mouse.move(to.x, to.y, { steps: 5 });
  await mouse.up();
}
