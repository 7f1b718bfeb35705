import { useEffect } from "react";
import { registerAll } from "./all.js";
import { performKey } from "../../registry/keys.js";

/** Listens for every shortcut; mounted once by the shell. */
export function ShortcutHost() {
  useEffect(() => {
    const unregister = registerAll();
    window.addEventListener("keydown", performKey);
    return () => {
      window.removeEventListener("keydown", performKey);
      unregister();
    };
  }, []);
  return null;
}
