import {
  pointerOf,
  problemOf,
  quote,
  suggest,
  suggestionBudget,
  type CatalogueEntry,
  type Problem,
  type ProblemDetails,
} from "../../diagnostics/index.js";
import { indexTopology, nodeAtPath, type Topology, type TopologyIndex } from "../../topology/index.js";
import { type NodePalette } from "../../manifests/index.js";
import { type SourcePalette } from "../../sources/index.js";
import type { Fix } from "./fix.js";

/** A place in the document: keys and list indexes from the top. */
export type Place = readonly (string | number)[];

/** What a rule may find, by its code: a code keeps its meaning for ever, and belongs to one rule (or is shared by some). */
export type Codes = Readonly<Record<string, RuleCode>>;
export interface RuleCode extends CatalogueEntry {
  /** What fits what is drawn now, best first; `at` is the place that the rule reported, as its pointer has it. */
  fixes?: (topology: Topology, at: readonly string[]) => Fix[];
}

/** What a rule sees, and where it says what it found. */
export interface RuleContext<Code extends string> {
  readonly topology: Topology;
  readonly index: TopologyIndex;
  /** The types of nodes that there are; undefined: not known here, so that nothing can be said of nodes. */
  readonly palette: NodePalette | undefined;
  /** The kinds of sources that there are; undefined: the standard ones, and others that are not known here. */
  readonly sources: SourcePalette | undefined;
  /** Severity and help come from the code's row, the node from the place, unless `details` say otherwise. */
  readonly report: (code: Code, place: Place, message: string, details?: ProblemDetails) => void;
  /** Help for a name that is not there: the one most likely meant, or what the row says. */
  readonly didYouMean: (wrong: string, candidates: Iterable<string>) => ProblemDetails;
}

/**
 * One rule of the format: looks at a whole topology, in time linear in its size. Its file has all that there is of
 * it: codes, what it looks for, and examples of what is wrong (`bad`).
 */
export interface Rule<Code extends string = string> {
  name: string;
  codes: Readonly<Record<Code, RuleCode>>;
  check(context: RuleContext<Code>): void;
}

/** A rule, which reports its own codes only. */
export const rule = <Code extends string>(rows: Rule<Code>): Rule<Code> => rows;

/** Runs rules in order over one topology. */
export function runRules(
  rules: readonly Rule[],
  topology: Topology,
  palette?: NodePalette,
  sources?: SourcePalette,
): Problem[] {
  const problems: Problem[] = [];
  const budget = suggestionBudget();
  const seen: Omit<RuleContext<string>, "report"> = {
    topology,
    index: indexTopology(topology),
    palette,
    sources,
    didYouMean(wrong, candidates) {
      const meant = suggest(wrong, candidates, budget);
      return meant === undefined ? {} : { help: `Did you mean ${quote(meant)}?` };
    },
  };
  for (const one of rules)
    one.check({
      ...seen,
      report(code, place, message, details = {}) {
        const node = details.node ?? nodeAtPath(topology, place);
        const more = node === undefined ? details : { ...details, node };
        problems.push(problemOf(code, one.codes[code]!, pointerOf(...place), message, more));
      },
    });
  return problems;
}
