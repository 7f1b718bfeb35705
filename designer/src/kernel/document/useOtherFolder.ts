import { useDocument } from "./hooks.js";

/** The folder of the open project where it is called otherwise than the drawing: two may be drawings of one name. */
export const useOtherFolder = (): string | undefined =>
  useDocument(({ folder, topology }) => (folder === "" || folder === topology.name ? undefined : folder));
