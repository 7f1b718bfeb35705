import { expect, type Page } from "@playwright/test";

interface Heard extends Window {
  penstockSaid?: string[];
}

/** Has a page keep what its toasts said: they go after seconds, whether or not anybody had the time to look. */
export async function keepWhatIsSaid(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const said: string[] = [];
    (window as Heard).penstockSaid = said;
    const seen = new WeakSet<Element>();
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll(".toast")) {
        if (seen.has(toast)) continue;
        seen.add(toast);
        said.push(toast.textContent);
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

/** Waits until a toast has said so on this page, be it gone by now. */
export const expectSaid = (page: Page, words: RegExp): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => (window as Heard).penstockSaid ?? []))
    .toContainEqual(expect.stringMatching(words));
