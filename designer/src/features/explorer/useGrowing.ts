import { useEffect, useState } from "react";
import { afterPicture } from "../../kernel/ui/whenIdle.js";

/** More rows than a screen is high, and as many as are added without being felt. */
const FIRST = 60;
const MORE = 100;

/** How many of `count` rows are drawn: a screenful at once, the rest whenever the page has nothing better to do. */
export function useGrowing(count: number): number {
  const [shown, setShown] = useState(FIRST);
  useEffect(() => (shown < count ? afterPicture(() => setShown(shown + MORE)) : undefined), [shown, count]);
  return Math.min(shown, count);
}
