import { isUtf8 } from "node:buffer";
import { existsSync, realpathSync } from "node:fs";
import { ConfinedFolder, unlessRefused, WriteRefusal } from "./disk/index.js";
import { problem, isClean, suggestionBudget, type Problem } from "./model/diagnostics/index.js";
import { version } from "./installation/index.js";
import { loadNodes, variablesRead as readByNodes, type Nodes } from "./nodes/index.js";
import {
  doubtfulProblem,
  drawnNames,
  followRenames,
  nameInstead,
  notDrawnProblem,
  planProject,
  type Followed,
  type HandlerPlan,
  type ProjectPlan,
  type Rename,
  type SourcePlan,
} from "./plan/index.js";
import { projectNodes } from "./projectNodes.js";
import {
  NodeTemplateError,
  nodeTexts,
  ownNodeTexts,
  renderProject,
  unrenderedTexts,
  type FileTree,
} from "./render/index.js";
import {
  LARGEST_DRAWING,
  located,
  printTopology,
  topologyHash,
  type NodeRef,
  type Topology,
} from "./model/topology/index.js";
import { checkDocument, checkRunnable } from "./model/validate/index.js";
import { dropPendingRenames, placeOf, readPendingRenames, type Pending } from "./workspace/index.js";
import {
  changingHandlers,
  CodeReader,
  DrawingFollower,
  generatedSources,
  hashOfManifest,
  lastFollowed,
  otherCode,
  recoverProject,
  sourceStates,
  undrawnWords,
  withChanges,
  writeProject,
  type HandlerFile,
  type LeftInFile,
  type UndrawnWord,
  type WriteOptions,
} from "./write/index.js";

/**
 * The way through the house, in order: load -> validate -> plan -> render -> write. A step reads
 * only what the step before it made; none of them calls its neighbour, this file does. Building and
 * running take it from here (build/, run/).
 */

export type { Rename };

const DRAWING = "topology.json";

export interface LoadedProject {
  /** As on disk; undefined when it could not be read. */
  text?: string;
  /** Undefined when the text is not a topology. */
  topology?: Topology;
  /** `sha256:` and 64 hex digits. */
  topologyHash?: string;
  /** Of reading, parsing and every rule; errors and warnings. */
  problems: Problem[];
}

/** Milliseconds of each step. */
export interface Timings {
  load: number;
  validate: number;
  plan: number;
  render: number;
  write: number;
}

export interface GenerateOptions extends WriteOptions {
  /** Since the last generation, oldest first: the user's files follow. */
  renames?: readonly Rename[];
  /** Id of the last of them, which the manifest keeps. */
  followed?: string | undefined;
}

export interface GenerateResult {
  ok: boolean;
  problems: Problem[];
  written: string[];
  unchanged: number;
  removed: string[];
  timings: Timings;
  milliseconds: number;
  topologyHash: string;
}

/** Reads and checks the project in `dir`, after finishing what a killed run may have left there. */
export async function loadProject(dir: string): Promise<LoadedProject> {
  const read = readProject(dir);
  if (Array.isArray(read)) return { problems: read };
  const { text } = read;
  const { topology, problems } = checked(read);
  if (topology === undefined) return { text, problems };
  return { text, topology, topologyHash: topologyHash(topology), problems };
}

/** The environment variables that the nodes of the project in `dir`, drawn so, read. */
export const variablesRead = (dir: string, topology: Topology): string[] =>
  readByNodes(topology, projectNodes(dir).packages);

/**
 * Puts a drawing in the place of the one in `dir` that it was made from, whose text was `from`: after any crash it is the old one
 * or the new one. False: another one is there by now, and stays.
 *
 * @param onStep told before each change on disk: tests change the drawing there
 */
export async function changeDrawing(
  dir: string,
  from: string,
  topology: Topology,
  onStep?: (step: string) => void,
): Promise<boolean> {
  const was = Buffer.from(from);
  return ConfinedFolder.within(
    realpathSync(dir),
    async (folder) => {
      const isStillSo = (): boolean =>
        unlessRefused(() => folder.readBytes(DRAWING, LARGEST_DRAWING))?.equals(was) === true;
      if (!isStillSo()) return false;
      return folder.replaceIf(DRAWING, printTopology(topology), isStillSo);
    },
    onStep,
  );
}

/** What the user's files are to follow, asked when the drawing has been read. */
type RenamesOf = (topologyHash: string) => Promise<Pick<GenerateOptions, "renames" | "followed">>;

/** Makes the project's C++ from its topology.json; refuses on errors and then changes nothing. */
export const generateProject = (dir: string, options: GenerateOptions = {}): Promise<GenerateResult> =>
  generate(dir, options, async () => options);

/** More than those that generate at once, or save files meanwhile, bring about. */
const MOST_ATTEMPTS = 100;

async function generate(
  dir: string,
  options: WriteOptions,
  renamesOf: RenamesOf,
  attempt = 1,
): Promise<GenerateResult> {
  const timings: Timings = { load: 0, validate: 0, plan: 0, render: 0, write: 0 };
  const timed = async <T>(step: keyof Timings, action: () => T | Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await action();
    } finally {
      timings[step] += performance.now() - start;
    }
  };
  const result = (part: Partial<GenerateResult>): GenerateResult => ({
    ok: false,
    problems: [],
    written: [],
    unchanged: 0,
    removed: [],
    timings,
    milliseconds: Object.values(timings).reduce((sum, time) => sum + time, 0),
    topologyHash: "",
    ...part,
  });

  // First: what is generated from here on by others is seen when this one is to be written.
  const manifestWas = await timed("load", () => manifestHash(dir));
  const read = await timed("load", () => readProject(dir));
  if (Array.isArray(read)) return result({ problems: read });
  const { topology, problems } = await timed("validate", () => {
    const found = checked(read);
    if (found.topology === undefined || !isClean(found.problems)) return found;
    const later = checkRunnable(found.topology, read.nodes.palette);
    return { ...found, problems: [...found.problems, ...located(later, read.text)] };
  });
  if (topology === undefined || !isClean(problems)) return result({ problems });
  const drawn = await timed("plan", () => planOf(topology, read.nodes));
  const { renames = [], followed } = await timed("load", () => renamesOf(drawn.topologyHash));
  const plan = await timed("load", () => asWritten(dir, drawn, renames));
  const files = await timed("render", () => rendered(plan, read.nodes));
  if (Array.isArray(files)) return result({ problems: [...problems, ...files] });
  const written = await timed("write", () =>
    writeProject(
      dir,
      {
        version: plan.version,
        topologyHash: plan.topologyHash,
        files,
        sources: plan.sources.map((source) => source.path),
        ...followingOf(dir, plan, renames),
        followed,
        manifestWas,
      },
      options,
    ),
  );
  if (written === "overtaken") {
    if (attempt < MOST_ATTEMPTS) return generate(dir, options, renamesOf, attempt + 1);
    const message = "Files of the project change all the time, and so nothing is generated.";
    return result({ problems: [problem("PS706", "", message)] });
  }
  const { left, ...changed } = written;
  return result({
    ...changed,
    ok: isClean(changed.problems),
    problems: [...problems, ...changed.problems, ...leftProblems(plan, left)],
    topologyHash: plan.topologyHash,
  });
}

/** What the user's files follow, those beside the ones of what is or was drawn as well. */
function followingOf(dir: string, plan: ProjectPlan, renames: readonly Rename[]): Followed {
  const following = followRenames(plan, renames);
  if (renames.length === 0) return following;
  const others = unlessRefused(() => {
    const drawn = [...plan.sources.map(({ path }) => path), ...following.moved.map(({ oldPath }) => oldPath)];
    return otherCode(dir, new Set([...drawn, ...generatedSources(dir).keys()]));
  });
  return followRenames(plan, renames, others);
}

/** What the user's files say that may mean what was renamed. */
function leftProblems(plan: ProjectPlan, left: readonly LeftInFile[]): Problem[] {
  const nodes = new Map(plan.sources.map(({ path, node }) => [path, node]));
  return left
    .flatMap(({ path, words }) => words.map((word) => doubtfulProblem(word, path, nodes.get(path))))
    .slice(0, MOST_UNDRAWN);
}

/**
 * generateProject() for a project that is drawn in the designer: the user's files follow what was
 * renamed there since the last time, whoever generates now.
 */
export async function generateDrawn(dir: string, options: WriteOptions = {}): Promise<GenerateResult> {
  if (!existsSync(dir)) return generateProject(dir, options);
  const place = placeOf(realpathSync(dir));
  let done: string[] = [];
  const result = await generate(dir, options, async (topologyHash) => {
    const { followed, renames } = await pendingOf(place.root, topologyHash);
    done = [...followed, ...renames].map(({ id }) => id);
    return { renames, followed: renames.at(-1)?.id };
  });
  if (result.ok && !options.dryRun) await dropPendingRenames(place, done);
  return result;
}

/** What the user's files have yet to follow to be those of the drawing of this hash. */
const pendingOf = (root: string, topologyHash: string): Promise<Pending> =>
  readPendingRenames(
    placeOf(root),
    topologyHash,
    unlessRefused(() => lastFollowed(root)),
  );

/** Hash of what the last generation noted, after what a killed one left is finished; undefined: there is none. */
const manifestHash = (dir: string): string | undefined =>
  existsSync(dir)
    ? unlessRefused(() => {
        recoverProject(dir);
        return hashOfManifest(dir);
      })
    : undefined;

/** A file of the project and what it belongs to; the server adds the id. */
export interface DescribedSource {
  path: string;
  node: NodeRef | "";
  /** Of the service, where it has several. */
  implementation?: string;
  owner: "user" | "generated";
  /** False while it is as Penstock wrote it; a handler's start that already answers counts as written. */
  written: boolean;
}

/** The files of a drawn project that exist on disk, the user's first. */
export async function describeSources(dir: string, topology: Topology): Promise<DescribedSource[]> {
  const nodes = projectNodes(dir);
  const plan = planOf(topology, nodes);
  // Which files there are hangs on no template of a node: none is run for it, whoever has written it.
  const files = renderProject(plan, ({ standard }) => unrenderedTexts(nodes.packages.get(standard!.type)!));
  const answering = new Set(
    plan.services.flatMap(({ handlers }) =>
      handlers.filter(({ start }) => start.answers).map(({ source }) => source),
    ),
  );
  const drawn = new Map(plan.sources.map((source) => [source.path, source]));
  const starts = new Map([...plan.sources.map((s) => [s.path, ""] as const), ...textsOf(files)]);
  const states = sourceStates(dir, starts);
  return [...starts.keys()]
    .filter((path) => states.get(path)?.exists)
    .map((path): DescribedSource => {
      const source = drawn.get(path);
      const file = files.get(path);
      const implementation = source?.implementation ?? "";
      return {
        path,
        node: source?.node ?? file?.node ?? "",
        ...(implementation === "" ? {} : { implementation }),
        owner: file?.owner === "generated" ? "generated" : "user",
        written: file?.owner !== "generated" && (answering.has(path) || states.get(path)!.written),
      };
    });
}

/** The user's files that the last generation left, with the hashes of its starts; no drawing is read for it. */
export async function keptSources(dir: string): Promise<ReadonlyMap<string, string | undefined>> {
  try {
    return generatedSources(dir);
  } catch (error) {
    // Said where the files are described.
    if (error instanceof WriteRefusal) return new Map();
    throw error;
  }
}

/**
 * The user's files under the names of the last generation, with the node they belong to by now: those of a
 * thing renamed since follow with the next.
 */
export async function formerSources(dir: string, topology: Topology): Promise<DescribedSource[]> {
  const plan = planOf(topology, projectNodes(dir));
  const owners = new Map(plan.sources.map((source) => [source.path, source]));
  const { renames } = await pendingOf(realpathSync(dir), plan.topologyHash);
  for (const { path, oldPath } of followRenames(plan, renames).moved) {
    const owner = owners.get(path);
    if (owner !== undefined) owners.set(oldPath, owner);
  }
  const paths = [...generatedSources(dir).keys()];
  const states = sourceStates(dir, new Map(paths.map((path) => [path, ""])));
  return paths.map((path) => ({
    path,
    ...ownerOf(owners.get(path)),
    owner: "user",
    written: states.get(path)!.written,
  }));
}

const ownerOf = (source: SourcePlan | undefined): Pick<DescribedSource, "node" | "implementation"> => ({
  node: source?.node ?? "",
  ...(source === undefined || source.implementation === "" ? {} : { implementation: source.implementation }),
});

/** What the user's code names that is not drawn, and what each such file would be with the names that are. */
export interface FollowedHandlers {
  problems: Problem[];
  changes: { path: string; before: string; after: string }[];
}

/** Words in all files; beyond, the project is another one's drawing. */
const MOST_UNDRAWN = 10_000;

/**
 * Reads the user's code beside the drawing, without a compiler: see undrawnWords(). What the next generation changes
 * as it follows a rename is no problem. Changes nothing.
 */
export async function followHandlers(dir: string, topology: Topology): Promise<FollowedHandlers> {
  const plan = planOf(topology, projectNodes(dir));
  const root = realpathSync(dir);
  const { renames } = await pendingOf(root, plan.topologyHash);
  const following = followingOf(root, plan, renames);
  const followed = new Map(following.moved.map((source) => [source.path, source]));
  const sources = new Map<string, SourcePlan | undefined>([
    ...[...followed.keys()].map((path) => [path, undefined] as const),
    ...plan.sources.map((source) => [source.path, source] as const),
  ]);
  const result: FollowedHandlers = { problems: [], changes: [] };
  const folder = new ConfinedFolder(root);
  const code = new CodeReader(folder);
  const budget = suggestionBudget();
  try {
    const formerly = (path: string): string => followed.get(path)?.oldPath ?? path;
    // A start that nobody has written in is made anew from the drawing.
    const places = plan.sources.flatMap(({ path }) => [path, formerly(path)]);
    const states = sourceStates(root, new Map(places.map((path) => [path, ""])));
    const texts = new Map<string, { at: string; text: string }>();
    for (const [path, source] of sources) {
      if (!followed.has(path) && source?.node.startsWith("service:") !== true) continue;
      const at = source && [path, formerly(path)].find((place) => states.get(place)?.exists);
      if (source === undefined) texts.set(path, { at: path, text: code.read(path) ?? "" });
      else if (at !== undefined && states.get(at)?.written)
        texts.set(path, { at, text: code.read(at) ?? "" });
    }
    const follower = new DrawingFollower(folder, following, (_, path) => texts.get(path)?.text);
    for (const [path, { at, text }] of texts) {
      const source = sources.get(path);
      const how = followed.get(path);
      const { changes, doubtful } = how === undefined ? NOTHING_FOLLOWS : follower.follow(text, how);
      const names = source && drawnNames(plan, source);
      const known = new Set([...changes, ...doubtful].map(({ offset }) => offset));
      // Of a message that was renamed, all that means it is known, or may.
      const isKnown = ({ kind, word, offset }: UndrawnWord): boolean =>
        known.has(offset) || (kind === "message" && (following.names?.types.get(word)?.to ?? word) !== word);
      const words = (names === undefined ? [] : undrawnWords(text, names)).filter((word) => !isKnown(word));
      if (result.problems.length + words.length + doubtful.length > MOST_UNDRAWN) break;
      result.problems.push(...doubtful.map((word) => doubtfulProblem(word, at, source?.node)));
      const named = new Set(words.length > 0 ? text.match(/\w+/g) : []);
      const unnamedCalls = names?.calls.filter((call) => !named.has(call)) ?? [];
      const instead = words.flatMap((word) => {
        const to = nameInstead(word, names!, { plan, renames, unnamedCalls, budget });
        result.problems.push(notDrawnProblem(word, source!, at, to));
        return to === undefined ? [] : [{ ...word, to }];
      });
      // The editor knows no files but those of nodes.
      const likely = doubtful
        .filter(({ isLikely }) => isLikely && source !== undefined)
        .map(({ word, offset, meant }) => ({ word, offset, to: meant[0]!.to }));
      const changed = [...likely, ...instead].sort((a, b) => a.offset - b.offset);
      if (changed.length > 0)
        result.changes.push({ path: at, before: text, after: withChanges(text, changed) });
    }
  } catch (error) {
    if (!(error instanceof WriteRefusal)) throw error;
    result.problems.push(...error.problems);
  } finally {
    folder.close();
  }
  return result;
}

const NOTHING_FOLLOWS = { changes: [], doubtful: [] };

/** The last plan: code is saved many times between two drawings. */
let planned: { key: string; plan: ProjectPlan } | undefined;

function planOf(topology: Topology, { palette, sources }: Nodes): ProjectPlan {
  // All of the drawing: its hash knows nothing of descriptions, which are generated as well.
  const key = JSON.stringify([topology, [...palette], [...sources]]);
  if (planned?.key !== key)
    planned = { key, plan: planProject(topology, topologyHash(topology), version(), palette, sources) };
  return planned.plan;
}

/** The plan with what only the user's handlers say: which of them take `Ad&`. */
function asWritten(dir: string, plan: ProjectPlan, renames: readonly Rename[]): ProjectPlan {
  const { moved: followed } = followRenames(plan, renames);
  const former = new Map(followed.map((source) => [source.path, source]));
  const left = new Set(followed.flatMap(({ path, oldPath }) => (path === oldPath ? [] : [oldPath])));
  // Where it stood under an older name; where it is to stand, unless what is there goes with another's name.
  const filesOf = ({ source, cppName }: HandlerPlan): HandlerFile[] => {
    const { oldPath, oldClass } = former.get(source) ?? { oldPath: source, oldClass: "" };
    const here = { path: source, handler: cppName };
    const before = oldPath === source ? [] : [{ path: oldPath, handler: oldClass }];
    return left.has(source) ? before : [here, ...before];
  };
  const own = plan.services.filter(({ standard }) => standard === undefined);
  try {
    const changing = changingHandlers(
      dir,
      own.flatMap(({ handlers }) => handlers.flatMap(filesOf)),
    );
    const services = plan.services.map((service) => ({
      ...service,
      handlers: service.handlers.map((handler) => ({
        ...handler,
        changesRequest: filesOf(handler).some(({ path }) => changing.has(path)),
      })),
    }));
    return { ...plan, services };
  } catch (error) {
    // Said where they are written beside.
    if (error instanceof WriteRefusal) return plan;
    throw error;
  }
}

/** The files, or what is wrong with the template of a node. Those of the project's own run beside this thread. */
async function rendered(plan: ProjectPlan, { packages }: Nodes): Promise<FileTree | Problem[]> {
  try {
    const own = await ownNodeTexts(plan, packages);
    return renderProject(
      plan,
      (service) => own.get(service.name) ?? nodeTexts(plan, service, packages.get(service.standard!.type)!),
    );
  } catch (error) {
    if (!(error instanceof NodeTemplateError)) throw error;
    const file = `nodes/${error.type}/${error.file}`;
    const code = error.isTooMuch ? "PS714" : "PS708";
    return [problem(code, "", `${file} cannot be used: ${error.message}`, { file })];
  }
}

const textsOf = (files: FileTree): [string, string][] =>
  [...files.values()].map((file) => [file.path, file.text]);

interface ReadProject {
  text: string;
  nodes: Nodes;
}

const checked = ({ text, nodes }: ReadProject): ReturnType<typeof checkDocument> => {
  const { problems, ...rest } = checkDocument(text, nodes.palette, nodes.sources);
  return { ...rest, problems: [...nodes.problems, ...problems] };
};

function readProject(dir: string): ReadProject | Problem[] {
  const missing = (): Problem[] => [problem("PS700", "", `There is no topology.json in ${dir}.`)];
  if (!existsSync(dir)) return missing();
  try {
    const root = realpathSync(dir);
    recoverProject(root);
    const folder = new ConfinedFolder(root);
    try {
      const bytes = folder.readBytes(DRAWING, LARGEST_DRAWING);
      if (bytes === undefined) return missing();
      // A text would have lost what the bytes were, and whoever writes it back loses it on the disk.
      if (!isUtf8(bytes)) return checkDocument(bytes).problems;
      return { text: bytes.toString(), nodes: loadNodes(folder) };
    } finally {
      folder.close();
    }
  } catch (error) {
    if (error instanceof WriteRefusal) return error.problems;
    throw error;
  }
}
