import { useStore } from "zustand";
import { documentStore, type DocumentState } from "./store.js";
import { workbenchStore, type WorkbenchState } from "./workbench.js";

/** Subscribes a component to a part of the document; return a stable value or use useShallow. */
export const useDocument = <T>(selector: (state: DocumentState) => T): T => useStore(documentStore, selector);

export const useWorkbench = <T>(selector: (state: WorkbenchState) => T): T =>
  useStore(workbenchStore, selector);
