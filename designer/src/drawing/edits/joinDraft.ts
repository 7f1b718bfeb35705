import { DEFAULT_QUEUE, type Join, type OverflowPolicy } from "@penstock/codegen/topology";

/** The form of a join as it is filled in: every choice keeps its values while another one is looked at. */
export interface JoinDraft {
  kind: "none" | "pool" | "own";
  pool: string;
  threads: "single" | "fixed" | "cached";
  count: number;
  queue: number;
  overflow: OverflowPolicy;
}

/** Threads of a fixed pool until somebody says otherwise. */
const SOME_THREADS = 4;

export function draftOf(join: Join | undefined, firstPool: string | undefined): JoinDraft {
  const draft: JoinDraft = {
    kind: "none",
    pool: firstPool ?? "",
    threads: "fixed",
    count: SOME_THREADS,
    queue: DEFAULT_QUEUE,
    overflow: "block",
  };
  if (join === undefined) return draft;
  if ("pool" in join) return { ...draft, kind: "pool", pool: join.pool };
  const { threads, queue, overflow } = join;
  const kind = threads === "cached" ? "cached" : threads === 1 ? "single" : "fixed";
  return {
    ...draft,
    kind: "own",
    threads: kind,
    count: typeof threads === "number" && threads > 1 ? threads : SOME_THREADS,
    queue,
    overflow,
  };
}

/** What the form asks for; null takes the join out. */
export function joinOf(draft: JoinDraft): Join | null {
  if (draft.kind === "none") return null;
  if (draft.kind === "pool") return { pool: draft.pool };
  const threads = draft.threads === "single" ? 1 : draft.threads === "cached" ? "cached" : draft.count;
  return { threads, queue: draft.queue, overflow: draft.overflow };
}
