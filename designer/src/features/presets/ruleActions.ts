import { flowsOf } from "@penstock/codegen/arrange";
import {
  DEFAULT_HOLD_S,
  serves,
  type Binary,
  type PresetRule,
  type Topology,
} from "@penstock/codegen/topology";
import { changeBinary, withRules } from "../../kernel/document/edits/binaries.js";
import { edit } from "../../kernel/document/index.js";

/** The flows and services that a binary runs, flows first. */
export const watchable = (topology: Topology, binary: Binary): string[] => [
  ...flowsOf(topology, binary).map(({ name }) => name),
  ...topology.services.flatMap(({ name }) => (serves(topology, binary, name) ? [name] : [])),
];

/** Those that no rule watches yet. */
export const unwatched = (topology: Topology, binary: Binary): string[] =>
  watchable(topology, binary).filter((name) => !(binary.rules ?? []).some(({ of }) => of === name));

const changed = (label: string, binary: string, change: (rules: PresetRule[]) => PresetRule[]): void =>
  void edit(label, (model) =>
    changeBinary(model, binary, (one) => withRules(one, change([...(one.rules ?? [])]))),
  );

/** A rule between the first preset and the second one, with thresholds that somebody then sets. */
export function addRule({ name, presets = [] }: Binary, of: string): void {
  const [calm, busy] = presets;
  if (calm === undefined || busy === undefined) return;
  changed(`Add rule of ${of}`, name, (rules) => [
    ...rules,
    {
      of,
      below: { perSecond: 100, preset: calm.name },
      above: { perSecond: 1000, preset: busy.name },
      forSeconds: DEFAULT_HOLD_S,
    },
  ]);
}

export const changeRule = (binary: string, at: number, to: PresetRule): void =>
  changed(`Change rule of ${to.of}`, binary, (rules) =>
    rules.map((rule, inner) => (inner === at ? to : rule)),
  );

export const removeRule = (binary: string, at: number): void =>
  changed("Remove rule", binary, (rules) => rules.filter((_, inner) => inner !== at));
