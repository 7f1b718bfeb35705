import { DEFAULT_POOL, type Binary } from "@penstock/codegen/topology";
import { poolColor, type SelectOption } from "../ui/index.js";

/** The choice that makes a pool. */
export const NEW_POOL = "+new";

/** The pools of a binary to choose from, the built-in one first. */
export function poolOptions(binary: Binary): SelectOption[] {
  const listed = binary.pools.map((pool, index): SelectOption => ({
    value: pool.name,
    label: pool.name,
    swatch: poolColor(index),
  }));
  const builtIn = binary.pools.some((pool) => pool.name === DEFAULT_POOL)
    ? []
    : [{ value: DEFAULT_POOL, label: "default, 1 per CPU" }];
  return [...builtIn, ...listed, { value: NEW_POOL, label: "New pool…" }];
}
