import { threadList, threadName, type Pool } from "@penstock/codegen/topology";
import { reveal } from "../../../kernel/document/index.js";
import { writtenCpus } from "../../../kernel/document/cpus.js";
import { Badge } from "../../../kernel/ui/index.js";

/** `models·0 → CPU 1`, one chip a pinned thread; a click goes to the pool, where pins are set. */
export function PinChips({ binary, pool, color }: { binary: string; pool: Pool; color: string }) {
  const threads = threadList(pool.threads);
  const pinned = threads.flatMap((thread, index) =>
    thread.cpus?.length ? [{ index, cpus: thread.cpus }] : [],
  );
  const free = threads.length - pinned.length;
  return (
    <button
      type="button"
      className="item-link"
      onClick={() => reveal(`pool:${binary}/${pool.name}`)}
      aria-label="Edit pins"
    >
      <span className="chips">
        {pinned.map(({ index, cpus }) => (
          <Badge key={index} mono color={color}>
            {threadName(pool.name, index)} → CPU {writtenCpus(cpus)}
          </Badge>
        ))}
        {free > 0 ? (
          <Badge mono color={color}>
            {pinned.length === 0 ? "all on any CPU" : `${free} on any CPU`}
          </Badge>
        ) : null}
      </span>
    </button>
  );
}
