import { createStore } from "zustand/vanilla";
import { documentStore } from "../../kernel/document/store.js";

interface Naming {
  /** The node whose name is being typed where it stands; null while none is. */
  node: string | null;
  /** Why it cannot have the name that is typed; it stands below the name, over what lies there. */
  fault: HTMLElement | null;
}
export const namingStore = createStore<Naming>(() => ({ node: null, fault: null }));

/** Where the reason stands that a name is none: a ref. */
export const showFault = (fault: HTMLElement | null): void => namingStore.setState({ fault });

/** Puts the cursor into the name of a node: one that is drawn, or is drawn next. */
export const startNaming = (node: string): void => namingStore.setState({ node });

export const stopNaming = (): void => namingStore.setState({ node: null });

// What is not selected any more is not named any more: it may have been out of view all the while.
documentStore.subscribe(({ selection }) => {
  const { node } = namingStore.getState();
  if (node !== null && !selection.includes(node)) stopNaming();
});

/** Whether a node's name is on screen, and large enough to type in. */
export const isNameShown = (node: string): boolean =>
  document.querySelector(`.canvas[data-far="false"] .react-flow__node[data-id="${CSS.escape(node)}"]`) !==
  null;

/** Gives the keys back to the canvas, as after a click on it. */
export const focusCanvas = (): void => document.querySelector<HTMLElement>("main.canvas")?.focus();
