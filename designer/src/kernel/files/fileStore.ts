import type { SourceFile, SourceText } from "@penstock/codegen/contract";
import type { NodeRef } from "@penstock/codegen/topology";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { setSourceFiles } from "../document/unwritten.js";
import { ask, ApiFailure } from "../server/api.js";
import { projectStore } from "../server/projectStore.js";

/** One file as this page has it. Unsaved text lives here, not in an editor, so switching loses nothing. */
export interface FileBuffer {
  id: string;
  path: string;
  text: string;
  /** What the server has, and its hash: the base of the next save. */
  saved: string;
  hash: string;
  readOnly: boolean;
  saving: boolean;
  /** Why the last save did not happen; "" when it did. */
  error: string;
  /** What somebody else wrote meanwhile, to be decided. */
  theirs: SourceText | null;
  /** Grows when the text was replaced from outside the editor. */
  epoch: number;
}

export interface AwaitedCode {
  node: NodeRef;
  implementation: string | null;
}

export interface FileState {
  files: readonly SourceFile[];
  openId: string | null;
  /** The node whose code should be shown but has no file yet; null while a file is, or nothing was asked for. */
  awaited: AwaitedCode | null;
  /** It is being generated. */
  making: boolean;
  buffers: ReadonlyMap<string, FileBuffer>;
  /** Where the editor should put the cursor next; line and column from 1. */
  goal: { id: string; line: number; column: number; count: number } | null;
  error: string;
}
const nothing: FileState = {
  files: [],
  openId: null,
  awaited: null,
  making: false,
  buffers: new Map(),
  goal: null,
  error: "",
};

export const fileStore = createStore<FileState>(() => nothing);
export const useFiles = <T>(selector: (state: FileState) => T): T => useStore(fileStore, selector);

export const isDirty = (buffer: FileBuffer): boolean => buffer.text !== buffer.saved;

/** The service whose handler (or test, or benchmark) a file is. */
export function serviceOfFile(id: string): string | undefined {
  const node = fileStore.getState().files.find((file) => file.id === id)?.node ?? "";
  return node.startsWith("service:") ? node.slice("service:".length) : undefined;
}

const put = (buffer: FileBuffer): void =>
  fileStore.setState(({ buffers }) => ({ buffers: new Map(buffers).set(buffer.id, buffer) }));
const change = (id: string, part: Partial<FileBuffer>): void => {
  const buffer = fileStore.getState().buffers.get(id);
  if (buffer) put({ ...buffer, ...part });
};
const words = (error: unknown): string => {
  if (!(error instanceof ApiFailure)) throw error;
  return [error.message, error.help].filter(Boolean).join(". ");
};

/** Counts what was asked to be shown: an answer that comes after another question changes nothing. */
let question = 0;

/** Forgets everything: another project is shown. */
export function closeFiles(): void {
  question += 1;
  fileStore.setState(nothing);
}

/** Counts saves: a list that was asked for before one does not know of it. */
let saves = 0;

export async function loadFiles(): Promise<readonly SourceFile[]> {
  const { project } = projectStore.getState();
  if (project === null) return [];
  const before = saves;
  try {
    const files = await ask("files", { project });
    if (projectStore.getState().project !== project) return [];
    if (saves !== before) return await loadFiles();
    take(files);
    closeGone(files);
    return files;
  } catch (error) {
    fileStore.setState({ error: words(error) });
    return [];
  }
}

function take(files: readonly SourceFile[]): void {
  fileStore.setState({ files, error: "" });
  setSourceFiles(files);
}

/** Forgets files that a generation has moved or removed, save those with text that is nowhere else. */
function closeGone(files: readonly SourceFile[]): void {
  const there = new Set(files.map(({ id }) => id));
  const { buffers, openId } = fileStore.getState();
  const kept = new Map(
    [...buffers].filter(([id, buffer]) => there.has(id) || isDirty(buffer) || buffer.saving),
  );
  if (kept.size === buffers.size) return;
  fileStore.setState({ buffers: kept, openId: openId !== null && kept.has(openId) ? openId : null });
}

const toBuffer = (text: SourceText, epoch = 0): FileBuffer => ({
  id: text.id,
  path: text.path,
  text: text.text,
  saved: text.text,
  hash: text.hash,
  readOnly: text.readOnly,
  saving: false,
  error: "",
  theirs: null,
  epoch,
});

/** Shows a file, reading it when it is not here yet (or is, unchanged, and may have changed on disk). */
export async function openFile(id: string, at?: { line: number; column: number }): Promise<void> {
  const { project } = projectStore.getState();
  if (project === null) return;
  question += 1;
  const mine = question;
  const goal = at
    ? { id, ...at, count: (fileStore.getState().goal?.count ?? 0) + 1 }
    : fileStore.getState().goal;
  const held = fileStore.getState().buffers.get(id);
  if (held) fileStore.setState({ openId: id, awaited: null, goal, error: "" });
  if (held && isDirty(held)) return;
  try {
    const text = await ask("file", { project, file: id });
    const now = fileStore.getState().buffers.get(id);
    if (!now || (!isDirty(now) && now.hash !== text.hash)) put(toBuffer(text, (now?.epoch ?? 0) + 1));
    if (mine === question) fileStore.setState({ openId: id, awaited: null, goal, error: "" });
  } catch (error) {
    if (mine === question) fileStore.setState({ error: words(error) });
  }
}

/** Shows that a node has no code yet, rather than another node's; `openFile` ends it. */
export function awaitCode(node: NodeRef, implementation: string | null): void {
  question += 1;
  fileStore.setState({ openId: null, awaited: { node, implementation }, error: "" });
}

/** What was typed. */
export const edited = (id: string, text: string): void => change(id, { text });

/** Saves that are under way, for who asks for the same file meanwhile. */
const running = new Map<string, Promise<boolean>>();

/** Saves one file against the version it was read from; on a conflict both versions are kept. True when it is on disk. */
export async function saveFile(id: string): Promise<boolean> {
  const before = running.get(id);
  if (before) return before.then(() => saveFile(id));
  const { project } = projectStore.getState();
  const buffer = fileStore.getState().buffers.get(id);
  if (!buffer || project === null) return false;
  if (!isDirty(buffer) || buffer.readOnly) return true;
  if (buffer.theirs) return false;
  const saving = saveOnce(project, buffer).finally(() => running.delete(id));
  running.set(id, saving);
  // What was typed while it was saved is part of the file, too.
  return (await saving) && saveFile(id);
}

async function saveOnce(project: string, { id, text, hash }: FileBuffer): Promise<boolean> {
  change(id, { saving: true, error: "" });
  try {
    const answer = await ask("saveFile", { project, file: id }, { body: { text }, ifMatch: hash });
    change(id, { saving: false, saved: text, hash: answer.hash });
    if (projectStore.getState().project === project) takeWritten(id, answer.written);
    return true;
  } catch (error) {
    const theirs = error instanceof ApiFailure && error.status === 409 ? readTheirs(error.body) : null;
    change(id, {
      saving: false,
      theirs,
      error: theirs ? "Somebody else has changed this file" : words(error),
    });
    return false;
  }
}

/** A file was saved: of the list that is all that changes, without a look at the drawing. */
function takeWritten(id: string, written: boolean): void {
  saves += 1;
  const { files } = fileStore.getState();
  const file = files.find((one) => one.id === id);
  // What is a start again may count as written: one that answers does.
  if (!file || (file.written && !written)) return void loadFiles();
  take(files.map((one) => (one === file ? { ...one, written } : one)));
}

function readTheirs(body: unknown): SourceText | null {
  const holder = body as Partial<SourceText> & { current?: SourceText };
  if (holder.current) return holder.current;
  return typeof holder.text === "string" && typeof holder.hash === "string" ? (holder as SourceText) : null;
}

/** Decides a conflict: mine goes over theirs, or theirs is shown and mine is dropped. */
export async function decide(id: string, choice: "mine" | "theirs"): Promise<void> {
  const buffer = fileStore.getState().buffers.get(id);
  if (!buffer?.theirs) return;
  if (choice === "theirs")
    return put(toBuffer({ ...buffer.theirs, id, path: buffer.path }, buffer.epoch + 1));
  change(id, { hash: buffer.theirs.hash, saved: buffer.theirs.text, theirs: null, error: "" });
  await saveFile(id);
}

/** The files with text that is not on disk. */
export const unsavedFiles = (): FileBuffer[] =>
  [...fileStore.getState().buffers.values()].filter((buffer) => isDirty(buffer) && !buffer.readOnly);

/** Saves everything that is unsaved, before a build. True when all of it is on disk. */
export async function saveOpenFiles(): Promise<boolean> {
  const saved = await Promise.all(unsavedFiles().map(({ id }) => saveFile(id)));
  return saved.every(Boolean);
}

const rank = (file: SourceFile): number =>
  (file.owner === "user" ? 0 : 2) + (/\.(cpp|cc|cxx)$/.test(file.path) ? 0 : 1);

/** The handler of a node (of one implementation of it), the user's before generated ones. */
export function fileOfNode(
  files: readonly SourceFile[],
  node: string,
  implementation?: string | null,
): SourceFile | undefined {
  const mine = files.filter(
    (file) => file.node === node && (!implementation || file.implementation === implementation),
  );
  return mine.toSorted((a, b) => rank(a) - rank(b))[0];
}
