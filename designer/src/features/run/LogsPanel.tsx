import type { LogLine } from "@penstock/codegen/contract";
import { ArrowDownToLine, Eraser, ScrollText } from "lucide-react";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { clearLogs, logStore } from "../../kernel/server/logStore.js";
import { EmptyState, IconButton, Input, Select } from "../../kernel/ui/index.js";

const LINE = 18;
const OVERSCAN = 12;

const two = (n: number): string => String(n).padStart(2, "0");
const clock = (ms: number): string => {
  const at = new Date(ms);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
};

/** Only the lines in view are in the page, so 5,000 of them cost what 20 do. */
function Lines({
  lines,
  follow,
  onFollow,
}: {
  lines: readonly LogLine[];
  follow: boolean;
  onFollow: (on: boolean) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 200 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setView((old) => ({ ...old, height: element.clientHeight })));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (follow && box.current) box.current.scrollTop = lines.length * LINE;
  }, [follow, lines]);
  const first = Math.max(0, Math.floor(view.top / LINE) - OVERSCAN);
  const last = Math.min(lines.length, Math.ceil((view.top + view.height) / LINE) + OVERSCAN);
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
      <div style={{ height: lines.length * LINE, position: "relative" }}>
        <div style={{ transform: `translateY(${first * LINE}px)` }}>
          {lines.slice(first, last).map((line) => (
            <div
              key={`${line.binary}/${line.seq}`}
              className="mono log-line log-fixed"
              data-stream={line.stream}
              data-severity={line.severity}
            >
              <span className="log-time">{clock(line.atMs)}</span>
              <span className="log-binary">{line.binary}</span>
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
  const shown = useMemo(() => {
    const wanted = search.toLowerCase();
    return lines.filter(
      (line) =>
        (binary === "" || line.binary === binary) &&
        (wanted === "" || line.text.toLowerCase().includes(wanted)),
    );
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
        <Lines lines={shown} follow={follow} onFollow={setFollow} />
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
