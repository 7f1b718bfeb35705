import type { SourceFile } from "@penstock/codegen/contract";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

/** Services whose handler is still as it was generated (it answers `unimplemented`). */
const unwrittenStore = createStore<{ services: ReadonlySet<string> }>(() => ({ services: new Set() }));

/** Tests and benches of a service are the user's too, but only its handler answers for it. */
const isHandler = (file: SourceFile): boolean =>
  file.owner === "user" && file.node.startsWith("service:") && file.path.startsWith("src/services/");

/** Takes over what the server says about the user's files; the shell calls it when they change. */
export function setSourceFiles(files: readonly SourceFile[]): void {
  const services = new Set(
    files.flatMap((file) => (!file.written && isHandler(file) ? [file.node.slice("service:".length)] : [])),
  );
  const before = unwrittenStore.getState().services;
  if (before.size === services.size && [...services].every((name) => before.has(name))) return;
  unwrittenStore.setState({ services });
}

export const useUnwritten = (): ReadonlySet<string> => useStore(unwrittenStore, (state) => state.services);
