import { CircleAlert, PencilLine, RotateCw } from "lucide-react";
import { useMemo, type CSSProperties } from "react";
import { reveal, useDocument } from "../../kernel/document/index.js";
import { formatMicros, formatRate, words } from "../../kernel/live/figures/format.js";
import { useProject } from "../../kernel/server/projectStore.js";
import { IconButton, KindIcon, kindColor, type IconKind } from "../../kernel/ui/index.js";
import { benchRows, type BenchRow, type Change } from "./benchRows.js";
import { benchScale, fittingKind, type BenchScale, benchStore } from "./benchScale.js";
import { useStore } from "zustand";

const time = (nanoseconds: number): string => words(formatMicros(nanoseconds / 1000));
const tickText = (nanoseconds: number): string =>
  nanoseconds === 0 ? "0" : time(nanoseconds).replace(/\.0(?= )/, "");
const rate = (nanoseconds: number): string => words(formatRate(1e9 / nanoseconds));
const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/** Bar to the median, whisker from the least to the most, a thin mark where the run before stood. */
function Bar({ row, scale }: { row: Extract<BenchRow, { kind: "figure" }>; scale: BenchScale }) {
  const { min, median, max } = row.result;
  const left = scale.at(min);
  return (
    <div className="bench-track" aria-hidden>
      <div className="bench-bar" style={{ width: percent(scale.at(median)) }} />
      <div className="bench-whisker" style={{ left: percent(left), width: percent(scale.at(max) - left) }} />
      {row.before === null ? null : (
        <div className="bench-before" style={{ left: percent(scale.at(row.before)) }} />
      )}
    </div>
  );
}

function Rules({ scale }: { scale: BenchScale }) {
  return scale.ticks.map((tick) => (
    <span key={tick} className="bench-rule" style={{ left: percent(scale.at(tick)) }} aria-hidden />
  ));
}

function ChangeWords({ change }: { change: Change | null }) {
  if (!change) return null;
  const sign = change.percent > 0 ? "+" : change.percent < 0 ? "−" : "±";
  return (
    <span className="bench-change" data-verdict={change.verdict}>
      {sign}
      {Math.abs(change.percent)} %{" "}
      <span className="bench-verdict">{change.verdict === "same" ? "in the noise" : change.verdict}</span>
    </span>
  );
}

interface RowProps {
  row: BenchRow;
  scale: BenchScale;
  kind: IconKind | undefined;
  /** Undefined while something is measured or built. */
  again: ((service: string) => void) | undefined;
}

function Name({ row, kind }: Pick<RowProps, "row" | "kind">) {
  if (row.service === "") return <span className="bench-name">{row.name}</span>;
  return (
    <button
      type="button"
      className="bench-name"
      title="Show it on the canvas"
      onClick={() => reveal(`service:${row.service}`)}
    >
      {kind ? <KindIcon kind={kind} /> : null}
      <span>{row.name}</span>
    </button>
  );
}

function Figures({ row, scale }: { row: Extract<BenchRow, { kind: "figure" }>; scale: BenchScale }) {
  const { median, min, max, runs } = row.result;
  const all = `${time(median)}, from ${time(min)} to ${time(max)} in ${runs} runs`;
  return (
    <>
      <div role="cell" className="bench-plot" aria-label={all} title={all}>
        <Rules scale={scale} />
        <Bar row={row} scale={scale} />
      </div>
      <div role="cell" className="mono bench-median">
        {time(median)}
      </div>
      <div role="cell" className="mono bench-rate">
        {rate(median)}
      </div>
      <div role="cell" className="mono bench-spread">
        {time(min)} – {time(max)}
      </div>
      <div role="cell" className="mono bench-since">
        <ChangeWords change={row.change} />
      </div>
    </>
  );
}

function Row({ row, scale, kind, again }: RowProps) {
  const color = kind ? kindColor(kind) : "var(--text-3)";
  return (
    <div role="row" className="bench-row" style={{ "--kind": color } as CSSProperties}>
      <div role="rowheader" className="bench-service">
        <Name row={row} kind={kind} />
      </div>
      {row.kind === "figure" ? (
        <Figures row={row} scale={scale} />
      ) : (
        <div role="cell" className="bench-reason" aria-colspan={5}>
          {row.skip.failed ? (
            <CircleAlert size={13} color="var(--bad)" aria-label="failed" />
          ) : (
            <PencilLine size={13} aria-hidden />
          )}
          <span>{row.skip.reason}</span>
        </div>
      )}
      <div role="cell" className="bench-again">
        {row.service === "" ? null : (
          <IconButton
            label={`Measure ${row.service} again`}
            size="sm"
            side="left"
            icon={<RotateCw size={12} />}
            disabled={!again}
            onClick={() => again?.(row.service)}
          />
        )}
      </div>
    </div>
  );
}

function Header({ scale }: { scale: BenchScale | null }) {
  return (
    <div role="row" className="bench-row bench-header">
      <div role="columnheader">Service</div>
      <div role="columnheader" className="bench-plot" aria-label="Chart">
        {scale?.ticks.map((tick, index) => (
          <span
            key={tick}
            className="mono bench-tick"
            data-end={index === 0 ? "left" : scale.at(tick) > 0.93 ? "right" : ""}
            style={{ left: percent(scale.at(tick)) }}
            aria-hidden
          >
            {tickText(tick)}
          </span>
        ))}
      </div>
      <div role="columnheader">Per call</div>
      <div role="columnheader" className="bench-rate">
        Calls
      </div>
      <div role="columnheader" className="bench-spread">
        Least – most
      </div>
      <div role="columnheader" className="bench-since">
        Since before
      </div>
      <div role="columnheader" aria-label="Again" />
    </div>
  );
}

/** What a call of each service takes, the dearest first. */
export function BenchChart({ again }: { again: RowProps["again"] }) {
  const { results, skipped, previous } = useProject((state) => state.bench);
  const services = useDocument((state) => state.topology.services);
  const chosen = useStore(benchStore, (state) => state.scale);
  const rows = useMemo(() => benchRows({ results, skipped, previous }), [results, skipped, previous]);
  const scale = useMemo(() => benchScale(rows, chosen ?? fittingKind(rows)), [rows, chosen]);
  const kinds = useMemo(
    () => new Map(services.map((service) => [service.name, service.kind ?? "simple"])),
    [services],
  );
  const compared = rows.some((row) => row.kind === "figure" && row.change !== null);
  return (
    <div role="table" className="bench-table" data-compared={compared} aria-label="Time of a call by service">
      <div role="rowgroup" className="bench-headers">
        <Header scale={results.length > 0 ? scale : null} />
      </div>
      <div role="rowgroup">
        {rows.map((row) => (
          <Row key={row.name} row={row} scale={scale} kind={kinds.get(row.service)} again={again} />
        ))}
      </div>
    </div>
  );
}
