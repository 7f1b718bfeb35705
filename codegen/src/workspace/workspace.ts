import { constants } from "node:fs";
import { access, lstat, mkdir, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { KeyedMutex, LockedError, takeLock, type Lock } from "../disk/index.js";
import type {
  ProjectDocument,
  ProjectInfo,
  RevisionInfo,
  SaveProject,
  SaveResult,
} from "../contract/index.js";
import { emptyLayout, parseLayout, printLayout } from "../model/topology/index.js";
import { createProject, type ProjectStart } from "./createProject.js";
import {
  decodeText,
  readDrawing,
  TOPOLOGY_FILE,
  type Drawing,
  type TopologyFormat,
} from "./drawing/drawing.js";
import { keepDeletedProject, renameProject } from "./moveProject.js";
import { addPendingRenames, dropPendingRenames } from "./kept/pendingRenames.js";
import { readDocument, type DrawnProject, type KnownDrawing } from "./drawing/projectDocument.js";
import { isListedFolderName, projectIdOf } from "./projectId.js";
import { Refusal, refusalOf } from "./drawing/refusal.js";
import { listRevisions, readRevision } from "./drawing/revisions.js";
import { finishSave, keepReplaced, placeOf, saveDrawing } from "./drawing/saveDrawing.js";
import { rememberSaved } from "./drawing/savedStamp.js";
import { stateFolderOf, TrustList } from "./kept/trust.js";

/** Thrown when another server has the workspace open; names its pid. */
export class WorkspaceLockedError extends Error {
  readonly code = "EWORKSPACELOCKED";
  constructor(
    readonly workspace: string,
    readonly pid: number,
  ) {
    super(`${workspace} is open in another Penstock server (process ${pid})`);
  }
}

/** What a save came to. */
export interface SavedDrawing extends SaveResult {
  topologyHash: string;
}

async function canWrite(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** A folder of projects that this process alone works on. All paths are made here, from ids. */
export class Workspace {
  private readonly projects = new KeyedMutex();
  /** By project: the drawing that was last read and found good, or saved; parsed once, however many ask. */
  private readonly good = new Map<string, KnownDrawing>();

  private constructor(
    /** Real path of the folder. */
    readonly root: string,
    /** False on a read-only file system: everything can be looked at, nothing saved. */
    readonly writable: boolean,
    /** This user's own folder for the workspace: trust, audit. */
    readonly stateFolder: string,
    private readonly format: TopologyFormat,
    private readonly trust: TrustList,
    private readonly lock: Lock,
  ) {}

  /** Opens (and makes, if need be) the workspace; throws WorkspaceLockedError when it is in use. */
  static async open(folder: string, format: TopologyFormat): Promise<Workspace> {
    await mkdir(folder, { recursive: true });
    const root = await realpath(folder);
    const stateFolder = await stateFolderOf(root);
    const writable = await canWrite(root);
    // A read-only workspace cannot hold a lock; then one server a user is what can be had.
    const records = writable ? join(root, ".penstock") : stateFolder;
    if (writable) await mkdir(records, { recursive: true, mode: 0o700 });
    const lock = await takeLock(join(records, "lock"), "Penstock server").catch((error: unknown) => {
      throw error instanceof LockedError ? new WorkspaceLockedError(root, error.pid) : error;
    });
    return new Workspace(root, writable, stateFolder, format, new TrustList(stateFolder), lock);
  }

  close(): Promise<void> {
    return this.lock.release();
  }

  /** Every folder with a topology, by name. Links and folders with other names are left out. */
  async list(): Promise<ProjectInfo[]> {
    const names = (await readdir(this.root)).filter(isListedFolderName).sort();
    const found = await Promise.all(names.map((name) => this.info(name).catch(() => undefined)));
    return found.filter((info) => info !== undefined);
  }

  /** Folder of a project; its id must be one of the list's. */
  async folderOf(id: string): Promise<string> {
    const names = (await readdir(this.root)).filter(isListedFolderName);
    const name = names.find((candidate) => projectIdOf(candidate) === id);
    const folder = name === undefined ? undefined : join(this.root, name);
    const real = folder !== undefined && (await lstat(folder).catch(() => undefined))?.isDirectory();
    if (!folder || !real)
      throw new Refusal("not-found", "There is no such project", "Look at the list again.");
    return folder;
  }

  async infoOf(id: string): Promise<ProjectInfo> {
    return this.info((await this.folderOf(id)).slice(this.root.length + 1));
  }

  /** A drawing that is brought along may be anybody's: such a project is not trusted yet. */
  async create(name: string, from: ProjectStart = { kind: "empty" }): Promise<ProjectInfo> {
    this.refuseReadOnly();
    try {
      await createProject(this.root, name, from, this.format);
      if (from.kind !== "drawing") await this.trust.add(join(this.root, name), true);
    } catch (error) {
      throw refusalOf(error, "Not created");
    }
    return this.info(name);
  }

  /** A copy under another name, as trusted as the original. */
  async duplicate(id: string, name: string): Promise<ProjectInfo> {
    this.refuseReadOnly();
    const folder = await this.folderOf(id);
    return this.projects.run(id, async () => {
      try {
        await createProject(this.root, name, { kind: "copy", folder }, this.format);
        if (await this.trust.isTrusted(folder))
          await this.trust.add(join(this.root, name), await this.trust.isOwn(folder));
      } catch (error) {
        throw refusalOf(error, "Not copied");
      }
      return this.info(name);
    });
  }

  /** Gives its folder another name; nothing of it may run. Its id changes. */
  async rename(id: string, name: string): Promise<ProjectInfo> {
    this.refuseReadOnly();
    const folder = await this.folderOf(id);
    return this.projects.run(id, async () => {
      const [isTrusted, isOwn] = [await this.trust.isTrusted(folder), await this.trust.isOwn(folder)];
      try {
        await renameProject(folder, name, this.format);
        if (isTrusted) await this.trust.add(join(this.root, name), isOwn);
      } catch (error) {
        throw refusalOf(error, "Not renamed");
      }
      return this.info(name);
    });
  }

  /** Moves it to the kept folder; nothing of it may run. Resolves with where it is now. */
  async delete(id: string): Promise<string> {
    this.refuseReadOnly();
    const folder = await this.folderOf(id);
    return this.projects.run(id, () =>
      keepDeletedProject(folder, Date.now()).catch((error: unknown) => {
        throw refusalOf(error, "Not deleted");
      }),
    );
  }

  async trustProject(id: string): Promise<ProjectInfo> {
    const root = await this.folderOf(id);
    if (!(await this.trust.isTrusted(root))) await this.trust.add(root, false);
    return this.infoOf(id);
  }

  /** Refuses unless the user has said that this project may be built and run. */
  async requireTrust(id: string): Promise<void> {
    if (await this.trust.isTrusted(await this.folderOf(id))) return;
    throw new Refusal(
      "untrusted",
      "This project is not trusted yet",
      "Look at what it contains; building and running it executes its code. Trust it to go on.",
    );
  }

  async isOwn(id: string): Promise<boolean> {
    return this.trust.isOwn(await this.folderOf(id));
  }

  async document(id: string): Promise<ProjectDocument> {
    return (await this.drawn(id)).document;
  }

  /** The document with what its text says, which nobody may change. */
  async drawn(id: string): Promise<DrawnProject> {
    const root = await this.folderOf(id);
    return this.projects.run(id, () => this.read(id, root));
  }

  /**
   * Saves when `ifMatch` is the revision on disk; else refuses with both versions' data. Reads the new drawing
   * once, and the one before not at all when it is the one that was saved or read last.
   */
  async save(id: string, ifMatch: string, body: SaveProject): Promise<SavedDrawing> {
    this.refuseReadOnly();
    const root = await this.folderOf(id);
    const { topology, problems } = this.format.parse(body.topology);
    if (!topology)
      throw new Refusal("invalid", "Not saved: this is no topology", "See the problems.", problems);
    const text = this.format.print(topology);
    const layout = printLayout(body.layout);
    return this.projects.run(id, async () => {
      const place = placeOf(root);
      const replaces = await this.currentDrawing(id, root);
      if (replaces.revision !== ifMatch) throw await this.conflict(id, root);
      try {
        const known = this.good.get(id);
        const before = known?.revision === ifMatch ? known : undefined;
        if (before !== undefined) await keepReplaced(place, replaces, Date.now());
        const replaced = before && this.format.hash(before.topology);
        // Noted first: who generates from the new drawing has to know them.
        const renames = await addPendingRenames(place, body.renames ?? [], replaced);
        const drop = (): Promise<void> => dropPendingRenames(place, renames).catch(() => undefined);
        const drawing = { topology: text, layout, savedAtMs: Date.now(), replaces };
        const saved = await saveDrawing(place, drawing).catch(async (error: unknown) => {
          await drop();
          throw error;
        });
        if (saved === undefined) {
          await drop();
          throw await this.conflict(id, root);
        }
        await rememberSaved(place, text, layout).catch(() => undefined);
        this.good.set(id, { revision: saved, topology });
        const problems = this.format.validate(topology);
        return { revision: saved, problems, topologyHash: this.format.hash(topology) };
      } catch (error) {
        throw refusalOf(error, "Not saved");
      }
    });
  }

  async revisions(id: string): Promise<RevisionInfo[]> {
    return listRevisions(join(placeOf(await this.folderOf(id)).records, "revisions"));
  }

  /** An earlier save, to look at; saving it with the current revision brings it back. */
  async revision(id: string, revision: string): Promise<ProjectDocument> {
    const root = await this.folderOf(id);
    const record = await readRevision(join(placeOf(root).records, "revisions"), revision);
    if (!record) throw new Refusal("not-found", "There is no such revision", "The last 20 saves are kept.");
    return {
      id,
      revision,
      topology: record.topology,
      layout: record.layout === null ? emptyLayout() : parseLayout(record.layout).layout,
      readOnly: true,
      readOnlyReason: "an earlier revision",
      trusted: await this.trust.isTrusted(root),
    };
  }

  /** Runs a change of a project's files with the file system's refusals given their names. */
  async changing<T>(task: () => Promise<T>): Promise<T> {
    this.refuseReadOnly();
    try {
      return await task();
    } catch (error) {
      throw refusalOf(error, "Not saved");
    }
  }

  private async read(id: string, root: string): Promise<DrawnProject> {
    const drawn = await readDocument({
      id,
      place: placeOf(root),
      format: this.format,
      writable: this.writable,
      trusted: await this.trust.isTrusted(root),
      nowMs: Date.now(),
      known: this.good.get(id),
    });
    const { document, topology } = drawn;
    // A migrated text that cannot be written is not the one on disk.
    const onDisk = this.writable || document.migratedFrom === undefined;
    if (topology && onDisk) this.good.set(id, { revision: document.revision, topology });
    return drawn;
  }

  /** The drawing on disk. A damaged project has one too: that is how it is repaired. */
  private async currentDrawing(id: string, root: string): Promise<Drawing> {
    finishSave(placeOf(root));
    const onDisk = await readDrawing(root).catch(() => undefined);
    if (onDisk !== undefined && onDisk.revision === this.good.get(id)?.revision) return onDisk;
    try {
      const { document } = await this.read(id, root);
      if (document.readOnly)
        throw new Refusal(
          "read-only",
          `Not saved: ${document.readOnlyReason}`,
          "Save it as a project of another name.",
        );
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "damaged")) throw error;
    }
    return readDrawing(root);
  }

  /** What a save is refused with where another drawing is there than the one that it was made from. */
  private async conflict(id: string, root: string): Promise<Refusal> {
    const { document: current } = await this.read(id, root);
    const help = "Keep yours, take theirs, or compare.";
    return new Refusal("conflict", "Not saved: it was changed elsewhere", help, undefined, { current });
  }

  private async info(name: string): Promise<ProjectInfo> {
    const folder = join(this.root, name);
    if (!(await lstat(folder)).isDirectory()) throw new Error(`${name} is no folder`);
    const file = await lstat(join(folder, TOPOLOGY_FILE));
    const doc = file.isFile() ? await this.docOf(folder) : "";
    return {
      id: projectIdOf(name),
      name,
      doc,
      modifiedAtMs: file.mtimeMs,
      trusted: await this.trust.isTrusted(folder),
    };
  }

  private async docOf(folder: string): Promise<string> {
    try {
      const value: unknown = JSON.parse(decodeText((await readDrawing(folder)).topology) ?? "");
      const doc = (value as { doc?: unknown } | null)?.doc;
      return typeof doc === "string" ? doc.slice(0, 4096) : "";
    } catch {
      return "";
    }
  }

  private refuseReadOnly(): void {
    if (this.writable) return;
    throw new Refusal(
      "read-only",
      "Not saved: read-only workspace",
      "Give this user the right to write the workspace.",
    );
  }
}
