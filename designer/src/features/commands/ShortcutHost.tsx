import { useLayoutEffect } from "react";
import { keepFromBrowser, performKey } from "../../registry/keys.js";

/** Listens for every shortcut, as soon as the frame is there: a key that comes then is not lost. */
export function ShortcutHost() {
  useLayoutEffect(() => {
    window.addEventListener("keydown", keepFromBrowser, { capture: true });
    window.addEventListener("keydown", performKey);
    return () => {
      window.removeEventListener("keydown", keepFromBrowser, { capture: true });
      window.removeEventListener("keydown", performKey);
    };
  }, []);
  return null;
}
