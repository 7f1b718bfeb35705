import { useMemo } from "react";
import { poolNow, type Chip } from "../../../drawing/queries/chips.js";
import { sliced, useSlice } from "../../../kernel/live/hooks.js";
import { findTrack } from "../../../kernel/live/liveStore.js";
import { Badge, poolColor } from "../../../kernel/ui/index.js";

/** Where the calls of a node run; while it runs, on how many threads the pool has then. */
export function PlaceBadge({ chip }: { chip: Chip }) {
  const { binary, pool } = chip.of ?? {};
  const each = useSlice(
    useMemo(
      () =>
        sliced(() =>
          binary === undefined || pool === undefined
            ? null
            : (findTrack(binary)?.pools.get(pool)?.figures.each ?? null),
        ),
      [binary, pool],
    ),
  );
  const label = poolNow(chip, each);
  return (
    <Badge
      mono
      {...(chip.pool === undefined ? { tone: chip.tone ?? "neutral" } : { color: poolColor(chip.pool) })}
      {...(label === chip.label ? {} : { title: `Drawn: ${chip.label}` })}
    >
      {label}
    </Badge>
  );
}
