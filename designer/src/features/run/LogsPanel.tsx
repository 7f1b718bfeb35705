import { ArrowDownToLine, Eraser, ScrollText } from "lucide-react";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { clearLogs, logStore } from "../../kernel/server/logStore.js";
import { EmptyState, IconButton, Input, Select } from "../../kernel/ui/index.js";
import { levelOf } from "./logLevel.js";
import { readableLine, type ReadableLine } from "./readableLine.js";
import { EDGE, indentOf, lineAt, nameGap, startsOf } from "./logRows.js";

const LINE = 18;
const OVERSCAN = 12;
/** Characters of what is measured (log-probe in shell.css): one is a fraction of a pixel off. */
const PROBE = 10;
/** The last of many lines stand at the end, whatever rows were thought to be above them. */
const AT_END = { position: "absolute", insetInline: 0, bottom: 0 } as const;

const two = (n: number): string => String(n).padStart(2, "0");
const clock = (ms: number): string => {
  const at = new Date(ms);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
};

/** The rows of a line after the first one begin below its text. */
const hanging = (indent: number) => ({ paddingLeft: EDGE + indent, textIndent: -indent });

/** Only the lines in view are in the page, so 5,000 of them cost what 20 do. A long one goes on in the next row. */
function Lines({
  lines,
  names,
  follow,
  onFollow,
}: {
  lines: readonly ReadableLine[];
  /** Characters of the longest name of a process. */
  names: number;
  follow: boolean;
  onFollow: (on: boolean) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLSpanElement>(null);
  const [view, setView] = useState({ top: 0, height: 200 });
  const [measured, setMeasured] = useState({ width: 0, cell: 0 });
  const room = useMemo(() => ({ ...measured, names }), [measured, names]);
  useLayoutEffect(() => {
    const element = box.current;
    const measure = probe.current;
    if (!element || !measure) return;
    const observer = new ResizeObserver(() => {
      setView((old) => ({ ...old, height: element.clientHeight }));
      setMeasured({ width: element.clientWidth, cell: measure.getBoundingClientRect().width / PROBE });
    });
    observer.observe(element);
    // Its width is another one once the font has come.
    observer.observe(measure);
    return () => observer.disconnect();
  }, []);
  const starts = useMemo(() => startsOf(lines, room), [lines, room]);
  useLayoutEffect(() => {
    const element = box.current;
    if (follow && element) element.scrollTop = Math.max(starts.at(-1)! * LINE, element.scrollHeight);
  }, [follow, starts]);
  const first = lineAt(starts, Math.floor(view.top / LINE) - OVERSCAN);
  const last = lineAt(starts, Math.ceil((view.top + view.height) / LINE) + OVERSCAN) + 1;
  const isEnd = last === lines.length;
  const isWhole = isEnd && first === 0;
  return (
    <div
      className="log-box"
      ref={box}
      tabIndex={0}
      role="log"
      aria-label="Output of the binaries"
      onScroll={({ currentTarget: element }) => {
        setView({ top: element.scrollTop, height: element.clientHeight });
        const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < LINE * 2;
        if (atEnd !== follow) onFollow(atEnd);
      }}
    >
      <span className="mono log-probe" ref={probe} aria-hidden />
      <div style={isWhole ? {} : { height: starts.at(-1)! * LINE, position: "relative" }}>
        <div style={isWhole ? {} : isEnd ? AT_END : { transform: `translateY(${starts[first]! * LINE}px)` }}>
          {lines.slice(first, last).map((line) => (
            <div
              key={`${line.binary}/${line.seq}`}
              className="mono log-line log-row"
              style={hanging(indentOf(line.binary, room))}
              data-stream={line.stream}
              data-severity={levelOf(line)}
              title={line.printed ?? (line.stream === "stderr" ? "Written to stderr" : undefined)}
            >
              <span className="log-time">{clock(line.atMs)}</span>
              <span className="log-binary" style={{ paddingRight: nameGap(line.binary, room) }}>
                {line.binary}
              </span>
              {line.text}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

export function LogsPanel() {
  const { lines, dropped } = useStore(logStore);
  const [binary, setBinary] = useState("");
  const [search, setSearch] = useState("");
  const [follow, setFollow] = useState(true);
  const binaries = useMemo(() => [...new Set(lines.map((line) => line.binary))].toSorted(), [lines]);
  const names = Math.max(0, ...binaries.map(({ length }) => length));
  const shown = useMemo(() => {
    const wanted = search.toLowerCase();
    const holds = (text = ""): boolean => text.toLowerCase().includes(wanted);
    return lines
      .filter((line) => binary === "" || line.binary === binary)
      .map(readableLine)
      .filter(({ text, printed }) => wanted === "" || holds(text) || holds(printed));
  }, [lines, binary, search]);

  return (
    <div className="logs-panel">
      <div className="logs-head">
        <div className="logs-filter">
          <Select
            label="Binary"
            value={binary || "all"}
            onChange={(value) => setBinary(value === "all" ? "" : value)}
            options={[
              { value: "all", label: "All binaries" },
              ...binaries.map((name) => ({ value: name, label: name })),
            ]}
          />
        </div>
        <div className="logs-search">
          <Input
            aria-label="Filter lines"
            placeholder="Filter"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        {dropped > 0 ? (
          <span className="logs-dropped">{dropped.toLocaleString("en")} lines dropped</span>
        ) : null}
        <div className="top-gap" />
        <IconButton
          label="Follow the end"
          size="sm"
          pressed={follow}
          icon={<ArrowDownToLine size={14} />}
          onClick={() => setFollow(!follow)}
        />
        <IconButton label="Clear" size="sm" icon={<Eraser size={14} />} onClick={clearLogs} />
      </div>
      {shown.length > 0 ? (
        <Lines lines={shown} names={names} follow={follow} onFollow={setFollow} />
      ) : (
        <EmptyState
          icon={<ScrollText size={18} />}
          title={lines.length > 0 ? "No line matches" : "No output yet"}
        >
          What your binaries print appears here.
        </EmptyState>
      )}
    </div>
  );
}
