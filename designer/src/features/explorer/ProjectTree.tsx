import { ChevronRight } from "lucide-react";
import { memo, useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from "react";
import { useStore } from "zustand";
import { reveal, select, useDocument } from "../../kernel/document/index.js";
import { useUnwritten } from "../../kernel/document/unwritten.js";
import { LiveFigure } from "./LiveFigure.js";
import { liveStore } from "../../kernel/live/liveStore.js";
import { NodeIcon } from "../../kernel/ui/icons/NodeIcon.js";
import { looksOf } from "../../drawing/nodeLook.js";
import { usePalette, useSourceIcon } from "../../kernel/server/usePalette.js";
import { useMarks, type Mark } from "../../kernel/problems/problemStore.js";
import { KindIcon } from "../../kernel/ui/index.js";
import { equal } from "../../drawing/stableNodes.js";
import type { StandardLook } from "../../drawing/toCanvasNodes.js";
import { nextFound, searchFor, STATE_WORDS } from "./search.js";
import { treeRows, type TreeRow } from "./tree.js";
import { afterPicture } from "../../kernel/ui/whenIdle.js";

/** What is out of sight is left out of each layout by blocks: the browser watches as many elements as there are of them. */
const BLOCK = 50;
const blocksOf = (rows: number): number[] =>
  Array.from({ length: Math.ceil(rows / BLOCK) }, (_, block) => block * BLOCK);

/** What the keys of the search field do with what it has found. */
export interface FoundRows {
  /** Goes to what was found, from one to the next. */
  revealNext: () => void;
  /** Into the list, at what was found first. */
  focus: () => void;
}

/** The project as a tree with live figures; arrow keys move, Enter and double click go there. */
export function ProjectTree({ query, found }: { query: string; found?: Ref<FoundRows> }) {
  const topology = useDocument((state) => state.topology);
  const selection = useDocument((state) => state.selection);
  const unwritten = useUnwritten();
  const marks = useMarks();
  const bottlenecks = useStore(liveStore, (state) => state.bottlenecks);
  const { nodes } = usePalette();
  const sourceIcon = useSourceIcon();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);

  const { rows, matches } = useMemo(() => {
    const blocked = new Set(bottlenecks.flatMap((one) => (one.link === undefined ? one.services : [])));
    const search = searchFor(query, { unwritten, marks, blocked });
    const rows = treeRows(topology, search, folded, sourceIcon);
    return { rows, matches: search ? rows.filter(search) : rows };
  }, [topology, query, unwritten, marks, bottlenecks, folded, sourceIcon]);

  const looks = useMemo(() => {
    const look = looksOf(nodes);
    return new Map(topology.services.map((service) => [service.name, look(service)]));
  }, [topology, nodes]);

  const fold = (row: TreeRow, shut: boolean) =>
    setFolded((before) => {
      const next = new Set(before);
      if (shut) next.add(row.key);
      else next.delete(row.key);
      return next;
    });
  const focusRow = (at: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, at))];
    if (!row) return;
    setFocused(row.key);
    select(row.ref);
    list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(row.key)}"]`)?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent, row: TreeRow, at: number) => {
    if (event.key === "ArrowDown") focusRow(at + 1);
    else if (event.key === "ArrowUp") focusRow(at - 1);
    else if (event.key === "ArrowRight") fold(row, false);
    else if (event.key === "ArrowLeft") fold(row, true);
    else if (event.key === "Home") focusRow(0);
    else if (event.key === "End") focusRow(rows.length - 1);
    else if (event.key === "Enter") reveal(row.ref);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  useImperativeHandle(found, () => ({
    revealNext: () => {
      const next = query.trim() ? nextFound(matches, query, selection) : undefined;
      if (next) reveal(next.ref);
    },
    focus: () => focusRow(Math.max(0, rows.indexOf(matches[0]!))),
  }));

  // The same for all rows and for good, so that a change of one row renders that row.
  const latest = useRef({ fold, onKeyDown });
  useEffect(() => {
    latest.current = { fold, onKeyDown };
  });
  const [actions] = useState((): RowActions => ({
    focus: (row) => setFocused(row.key),
    fold: (row, shut) => latest.current.fold(row, shut),
    keyDown: (event, row, at) => latest.current.onKeyDown(event, row, at),
  }));
  const shown = useGrowing(rows.length);
  const selected = useMemo(() => new Set(selection), [selection]);

  if (rows.length === 0) {
    return (
      <p className="left-empty">
        {query ? `Nothing matches. States: ${STATE_WORDS.join(", ")}` : "Nothing is drawn yet."}
      </p>
    );
  }
  const tabStop = rows.some((row) => row.key === focused) ? focused : rows[0]?.key;
  return (
    <div className="tree" role="tree" aria-label="Project" ref={list}>
      {blocksOf(shown).map((first) => (
        <div key={first} role="none" className="tree-block">
          {rows.slice(first, Math.min(first + BLOCK, shown)).map((row, at) => (
            <Row
              key={row.key}
              row={row}
              at={first + at}
              mark={
                marks.get(row.ref) ??
                (row.service === undefined ? undefined : marks.get(`service:${row.service}`))
              }
              look={row.service === undefined ? undefined : looks.get(row.service)}
              selected={selected.has(row.ref)}
              open={!folded.has(row.key)}
              tabStop={row.key === tabStop}
              unwritten={row.service !== undefined && unwritten.has(row.service)}
              actions={actions}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface RowActions {
  focus: (row: TreeRow) => void;
  fold: (row: TreeRow, shut: boolean) => void;
  keyDown: (event: React.KeyboardEvent, row: TreeRow, at: number) => void;
}
interface RowProps {
  row: TreeRow;
  at: number;
  mark: Mark | undefined;
  look: StandardLook | undefined;
  selected: boolean;
  open: boolean;
  tabStop: boolean;
  unwritten: boolean;
  actions: RowActions;
}

/** Rows are equal as long as what they say is: the tree is made anew with each edit. */
const sameRow = (a: RowProps, b: RowProps): boolean => equal(a, b);

const Row = memo(function Row({
  row,
  at,
  mark,
  look,
  selected,
  open,
  tabStop,
  unwritten,
  actions,
}: RowProps) {
  return (
    <div
      role="treeitem"
      data-key={row.key}
      aria-level={row.depth + 1}
      aria-label={row.label}
      aria-selected={selected}
      aria-expanded={row.children > 0 ? open : undefined}
      tabIndex={tabStop ? 0 : -1}
      className="row tree-row"
      style={{ paddingLeft: 10 + row.depth * 15 }}
      onClick={() => {
        actions.focus(row);
        select(row.ref);
      }}
      onDoubleClick={() => reveal(row.ref)}
      onKeyDown={(event) => actions.keyDown(event, row, at)}
    >
      <span
        className="tree-fold"
        data-open={open}
        onClick={(event) => {
          event.stopPropagation();
          if (row.children > 0) actions.fold(row, open);
        }}
        aria-hidden
      >
        {row.children > 0 ? <ChevronRight size={13} strokeWidth={1.75} /> : null}
      </span>
      {look ? <NodeIcon icon={look.icon} color={look.color} /> : <KindIcon kind={row.icon} />}
      <span className="row-label" data-mark={mark}>
        {row.label}
      </span>
      {unwritten ? (
        <span className="row-key" title="The handler is not written yet">
          unwritten
        </span>
      ) : (
        <LiveFigure nodeRef={row.ref} className="row-figure" />
      )}
    </div>
  );
}, sameRow);

/** More rows than a screen is high, and as many as are added without being felt. */
const FIRST = 60;
const MORE = 100;

/** How many of `count` rows are drawn: a screenful at once, the rest whenever the page has nothing better to do. */
function useGrowing(count: number): number {
  const [shown, setShown] = useState(FIRST);
  useEffect(() => (shown < count ? afterPicture(() => setShown(shown + MORE)) : undefined), [shown, count]);
  return Math.min(shown, count);
}
