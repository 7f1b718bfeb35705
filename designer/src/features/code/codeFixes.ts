import type { FixSource } from "../../registry/feature.js";
import { handlerStore, showHandlerChanges } from "./handlerChanges.js";

const CODE_NOT_DRAWN = "PS710";

/** The names that are drawn, where they are known; the patch is looked at before anything changes. */
export const codeFixes: FixSource = ({ code, file }) =>
  code === CODE_NOT_DRAWN && handlerStore.getState().changes.some(({ path }) => path === file)
    ? [{ label: "Change the code…", perform: () => void showHandlerChanges() }]
    : [];
