import type { Binary, PresetRule, Topology } from "../topology/index.js";

/** The binary with its rules watching what they watched under another name; undefined: gone, and the rule with it. */
export function rulesFollow(binary: Binary, of: (name: string) => string | undefined): Binary {
  const { rules, ...rest } = binary;
  if (rules === undefined) return binary;
  const left = rules.flatMap((rule): PresetRule[] => {
    const name = of(rule.of);
    return name === undefined ? [] : [{ ...rule, of: name }];
  });
  return left.length === 0 ? rest : { ...rest, rules: left };
}

/** The same for every binary. */
export const allRulesFollow = (topology: Topology, of: (name: string) => string | undefined): Topology => ({
  ...topology,
  binaries: topology.binaries.map((binary) => rulesFollow(binary, of)),
});
