import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** What keeps somebody out or makes work hard; axe's lesser findings are read, not enforced, */
const SERIOUS = new Set(["serious", "critical"]);
/** but for those by which a screen reader finds its way: headings, landmarks and what lies in them. */
const WAYFINDING = /^(page-has-heading|heading|empty-heading|landmark|region)/;

/** Serious faults of accessibility of what is on the screen, or of a part of it, each with its element. */
export async function seriousViolations(page: Page, part = ":root"): Promise<string[]> {
  // A transition half way has half the contrast; a caret blinks for ever.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
        .map((one) => one.finished.catch(() => undefined)),
    ),
  );
  const { violations } = await new AxeBuilder({ page }).include(part).analyze();
  return violations
    .filter(({ id, impact }) => SERIOUS.has(impact ?? "") || WAYFINDING.test(id))
    .flatMap((violation) =>
      violation.nodes.map((node) => `${violation.id} ${node.target.join(" ")}: ${node.failureSummary}`),
    );
}
