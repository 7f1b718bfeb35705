import { useEffect } from "react";
import { performKey } from "../../registry/keys.js";

/** Listens for every shortcut. */
export function ShortcutHost() {
  useEffect(() => {
    window.addEventListener("keydown", performKey);
    return () => window.removeEventListener("keydown", performKey);
  }, []);
  return null;
}
