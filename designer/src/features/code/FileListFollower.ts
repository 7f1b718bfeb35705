import { useEffect } from "react";
import { useProject } from "../../kernel/server/projectStore.js";
import { loadFiles } from "../../kernel/files/fileStore.js";
import { followHandlerChanges } from "./handlerChanges.js";

/** Loads the list when the project is shown, saved or built: each may have made files. */
export function FileListFollower(): null {
  const hash = useProject((state) => state.topologyHash);
  const phase = useProject((state) => state.build.phase);
  // Before the socket has said what is on disk there is nothing to list: it would be listed twice.
  const made = hash === "" ? "" : `${hash} ${phase === "compiling"}`;
  useEffect(() => followHandlerChanges(), []);
  useEffect(() => {
    if (made !== "") void loadFiles();
  }, [made]);
  return null;
}
