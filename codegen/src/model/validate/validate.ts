import { pathOf, type Problem } from "../diagnostics/index.js";
import { located, parseTopology, type Topology } from "../topology/index.js";
import { type NodePalette } from "../manifests/index.js";
import { type SourcePalette } from "../sources/index.js";
import type { Fix } from "./rule/fix.js";
import { runRules, type RuleCode } from "./rule/rule.js";
import { RULES, RUNNABLE_RULES } from "./rules/index.js";

/**
 * Every rule of the format over one topology: all errors and warnings at once. Without the palette
 * nothing is said about its nodes, without `sources` nothing about those of no standard kind. Never throws; linear time.
 */
export const validateTopology = (
  topology: Topology,
  palette?: NodePalette,
  sources?: SourcePalette,
): Problem[] => runRules(RULES, topology, palette, sources);

/** Errors for what is drawn but cannot run in this version: nothing drawn is ever silently ignored. */
export const checkRunnable = (topology: Topology, palette?: NodePalette): Problem[] =>
  runRules(RUNNABLE_RULES, topology, palette);

const CODES: ReadonlyMap<string, RuleCode> = new Map(RULES.flatMap(({ codes }) => Object.entries(codes)));

/** What its rule knows to make a problem go away; nothing where only the user can know. */
export const fixesOf = ({ code, pointer }: Problem, topology: Topology): Fix[] =>
  CODES.get(code)?.fixes?.(topology, pathOf(pointer)) ?? [];

/** A text that was read and checked. */
export interface DocumentCheck {
  /** Present when the text could be read without loss, whatever the rules say about it. */
  topology?: Topology;
  problems: Problem[];
  migratedFrom?: number;
}

/**
 * Reads a text and applies every rule: all problems of syntax, shape and rules that can be known at
 * once, with line and column. Unknown keys do not keep the rules from running on the rest. Never throws.
 */
export function checkDocument(
  input: string | Uint8Array,
  palette?: NodePalette,
  sources?: SourcePalette,
): DocumentCheck {
  const { salvaged, ...parsed } = parseTopology(input);
  const readable = parsed.topology ?? salvaged;
  const broken = readable === undefined ? [] : validateTopology(readable, palette, sources);
  // Of a migrated document the places are not those of the text.
  if (parsed.migratedFrom !== undefined) return { ...parsed, problems: [...parsed.problems, ...broken] };
  return {
    ...parsed,
    problems: [...located(parsed.problems, input, "of the text"), ...located(broken, input)],
  };
}
