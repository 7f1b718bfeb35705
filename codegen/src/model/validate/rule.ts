import {
  pointerOf,
  problem,
  quote,
  suggest,
  suggestionBudget,
  type Problem,
  type ProblemCode,
  type ProblemDetails,
} from "../diagnostics/index.js";
import { indexTopology, nodeAtPath, type Topology, type TopologyIndex } from "../topology/index.js";
import { type NodePalette } from "../manifests/index.js";
import { type SourcePalette } from "../sources/index.js";

/** A place in the document: keys and list indexes from the top. */
export type Place = readonly (string | number)[];

/** What a rule sees, and where it says what it found. */
export interface RuleContext {
  readonly topology: Topology;
  readonly index: TopologyIndex;
  /** The types of nodes that there are; undefined: not known here, so that nothing can be said of nodes. */
  readonly palette: NodePalette | undefined;
  /** The kinds of sources that there are; undefined: the standard ones, and others that are not known here. */
  readonly sources: SourcePalette | undefined;
  /** Severity and help come from the catalogue, the node from the place, unless `details` say otherwise. */
  readonly report: (code: ProblemCode, place: Place, message: string, details?: ProblemDetails) => void;
  /** Help for a name that is not there: the one most likely meant, or what the catalogue says. */
  readonly didYouMean: (wrong: string, candidates: Iterable<string>) => ProblemDetails;
}

/** One rule of the format: looks at a whole topology, in time linear in its size. */
export interface Rule {
  name: string;
  /** Every code it may report. */
  codes: readonly ProblemCode[];
  check(context: RuleContext): void;
}

/** Runs rules in order over one topology. */
export function runRules(
  rules: readonly Rule[],
  topology: Topology,
  palette?: NodePalette,
  sources?: SourcePalette,
): Problem[] {
  const problems: Problem[] = [];
  const budget = suggestionBudget();
  const context: RuleContext = {
    topology,
    index: indexTopology(topology),
    palette,
    sources,
    report(code, place, message, details = {}) {
      const node = details.node ?? nodeAtPath(topology, place);
      problems.push(
        problem(code, pointerOf(...place), message, node === undefined ? details : { ...details, node }),
      );
    },
    didYouMean(wrong, candidates) {
      const meant = suggest(wrong, candidates, budget);
      return meant === undefined ? {} : { help: `Did you mean ${quote(meant)}?` };
    },
  };
  for (const rule of rules) rule.check(context);
  return problems;
}
