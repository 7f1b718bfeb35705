import { sourcePath } from "./planSources.js";
import type { ProjectPlan, SourcePlan } from "./projectPlan.js";
import { namesBefore, type NamesBefore } from "./namesBefore.js";
import { parseNodeRef } from "../model/topology/index.js";

/** Things renamed since the last generation, oldest first. */
export interface Rename {
  kind: "service" | "implementation" | "flow" | "project" | "message" | "enum" | "value" | "field";
  /**
   * A service, a flow, the project, a message, an enum, or `Service/Implementation`, `Enum/VALUE`, `Message/field`;
   * `Service/` is the only handler of a service.
   */
  from: string;
  to: string;
}

/** A file of the user's that stood elsewhere under older names, or stays where it is and says older names. */
export interface FollowedSource {
  path: string;
  oldPath: string;
  /** The class of the handler that it had then; "" for what is no handler's file. */
  oldClass: string;
  /** Each place is replaced once, by the first that fits there. */
  words: (readonly [string, string])[];
  headers: (readonly [string, string])[];
}

/** What the user's files follow. */
export interface Followed {
  /** Those that stood elsewhere, or say older names. */
  moved: FollowedSource[];
  /** Names of messages and enums, and of what is in them; undefined where all are as they were. */
  names: NamesBefore | undefined;
}

/**
 * Where each file of the plan stood before the renames, and what it says: read backwards from today's names.
 *
 * @param others the user's files beside those of the plan
 */
export function followRenames(
  plan: ProjectPlan,
  renames: readonly Rename[],
  others: readonly string[] = [],
): Followed {
  if (renames.length === 0) return { moved: [], names: undefined };
  const words = projectWords(plan, renames);
  const names = namesBefore(plan, renames, (kind, name) => nameBefore(kind, name, renames) ?? name);
  const own = [...plan.ownSources.map(({ source }) => source), ...others].map((path): FollowedSource => {
    return { path, oldPath: path, oldClass: "", words, headers: [] };
  });
  const followed = [...plan.sources.flatMap((source) => follow(plan, source, renames) ?? []), ...own];
  return {
    moved:
      names === undefined
        ? followed.filter((source) => source.oldPath !== source.path || source.words.length > 0)
        : followed,
    names,
  };
}

/** What a project's name is in C++: the namespace. */
function projectWords({ project }: ProjectPlan, renames: readonly Rename[]): [string, string][] {
  const old = projectBefore(project, renames);
  if (old === project) return [];
  return [
    [`namespace ${old}`, `namespace ${project}`],
    [`${old}::`, `${project}::`],
  ];
}

function follow(
  plan: ProjectPlan,
  source: SourcePlan,
  renames: readonly Rename[],
): FollowedSource | undefined {
  const node = parseNodeRef(source.node);
  const kind = node?.kind;
  const name = node?.path[0];
  if (name === undefined || (kind !== "service" && kind !== "flow")) return undefined;
  const today: Handler = { name, implementation: source.implementation };
  const isHandler = kind === "service" && source.role === "handler";
  const old = isHandler ? handlerBefore(today, renames) : ownerBefore(kind, today, renames);
  if (old === undefined) {
    const words = projectWords(plan, renames);
    return { path: source.path, oldPath: source.path, oldClass: "", words, headers: [] };
  }
  const oldProject = projectBefore(plan.project, renames);
  const header = (of: string): string =>
    sourcePath(kind, "state", of, "").replace(/^src\/(.*)\.state\.hpp$/, "$1");
  const inProject = ([from, to]: [string, string]): [string, string] => [
    `${oldProject}::${from}`,
    `${plan.project}::${to}`,
  ];
  const classes = isHandler
    ? [{ before: old, handler: today }]
    : handlersOf(plan, source).flatMap((handler) => {
        const before = handlerBefore(handler, renames);
        return before === undefined ? [] : [{ before, handler }];
      });
  const words = classes.flatMap(({ before, handler }): [string, string][] => {
    const word: [string, string] = [className(before), className(handler)];
    // Beside the handler, `Echo` alone may be the service.
    return isHandler || before.implementation !== "" ? [inProject(word), word] : [inProject(word)];
  });
  words.push(inProject([old.name, name]), [old.name, name]);
  if (old.implementation !== "" && today.implementation !== "")
    words.push([old.implementation, today.implementation]);
  words.push(...projectWords(plan, renames));
  return {
    path: source.path,
    oldPath: sourcePath(kind, source.role, old.name, old.implementation),
    oldClass: isHandler ? className(old) : "",
    words: words.filter(([from, to]) => from !== to).flatMap(once),
    headers: [
      [`${header(old.name)}.hpp`, `${header(name)}.hpp`],
      [`${header(old.name)}.state.hpp`, `${header(name)}.state.hpp`],
    ],
  };
}

/** A handler of a service; `implementation` is "" when it is the only one. */
interface Handler {
  name: string;
  implementation: string;
}

const className = ({ name, implementation }: Handler): string =>
  implementation === "" ? name : `${name}::${implementation}`;

const handlersOf = (plan: ProjectPlan, source: SourcePlan): Handler[] =>
  plan.services
    .filter((service) => service.node === source.node)
    .flatMap(({ name, handlers }) => handlers.map(({ implementation }) => ({ name, implementation })));

/** What a thing was called before a rename; undefined: that rename freed its name, so it was not there yet. */
const beforeOne = (name: string, { from, to }: Pick<Rename, "from" | "to">): string | undefined => {
  if (to === name) return from;
  return from === name ? undefined : name;
};

const nameBefore = (kind: Rename["kind"], name: string, renames: readonly Rename[]): string | undefined =>
  renames.reduceRight<string | undefined>(
    (found, rename) => (found === undefined || rename.kind !== kind ? found : beforeOne(found, rename)),
    name,
  );

/** The project is never new. */
const projectBefore = (project: string, renames: readonly Rename[]): string =>
  nameBefore("project", project, renames) ?? project;

function ownerBefore(
  kind: "service" | "flow",
  today: Handler,
  renames: readonly Rename[],
): Handler | undefined {
  const name = nameBefore(kind, today.name, renames);
  return name === undefined ? undefined : { ...today, name };
}

/** Undefined for one that is new since, also in a service that is not. */
function handlerBefore(today: Handler, renames: readonly Rename[]): Handler | undefined {
  let { name, implementation }: Partial<Handler> = today;
  for (const rename of renames.toReversed()) {
    const [service, from = ""] = rename.from.split("/");
    if (rename.kind === "service") name = beforeOne(name, rename);
    else if (rename.kind === "implementation" && service === name)
      implementation = beforeOne(implementation, { from, to: rename.to.split("/").at(-1) ?? "" });
    if (name === undefined || implementation === undefined) return undefined;
  }
  return { name, implementation };
}

/** `GetAd` becomes `GetAd::Fast` where it is not that already, so that it can be carried out twice. */
const once = ([from, to]: [string, string]): [string, string][] =>
  to.startsWith(`${from}::`)
    ? [
        [to, to],
        [from, to],
      ]
    : [[from, to]];
