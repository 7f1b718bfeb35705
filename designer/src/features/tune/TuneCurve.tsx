import { formatMicros, formatRate, words } from "../../kernel/live/figures/format.js";
import { tuneScale } from "./tuneScale.js";
import type { TuneState } from "./tuneStore.js";

const WIDTH = 520;
const HEIGHT = 176;
const LEFT = 8;
const RIGHT = 8;
const TOP = 16;
const FOOT = 22;

/** Throughput and p99 over the number of threads, growing as sizes are tried; the best one ringed. */
export function TuneCurve({ points, limits, phase }: Pick<TuneState, "points" | "limits" | "phase">) {
  const scale = tuneScale(points, limits.from, limits.to);
  const best = phase.kind === "found" && !phase.undone ? phase.result.best.threads : undefined;
  const x = (at: number): number => LEFT + 14 + at * (WIDTH - LEFT - RIGHT - 28);
  const y = (at: number): number => TOP + at * (HEIGHT - TOP - FOOT);
  const line = (of: "throughput" | "latency"): string =>
    scale.points
      .flatMap((one) => (one[of] === null ? [] : [`${x(one.x).toFixed(1)},${y(one[of]).toFixed(1)}`]))
      .join(" ");
  const marked = scale.points.find(({ point }) => point.threads === best);
  return (
    <figure className="tune-curve">
      <figcaption>
        <span>
          Throughput{" "}
          <b className="tune-rate">{words(formatRate(marked?.point.perSecond ?? scale.topRate))}</b>
        </span>
        <span>
          Latency <b className="tune-p99">p99 {words(formatMicros(marked?.point.p99Us ?? scale.topP99Us))}</b>
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={spoken(points, best)}>
        {[0, 0.5, 1].map((at) => (
          <line key={at} className="tune-rule" x1={LEFT} x2={WIDTH - RIGHT} y1={y(at)} y2={y(at)} />
        ))}
        <text className="tune-tick" x={LEFT} y={y(0) - 4}>
          {words(formatRate(scale.topRate))}
        </text>
        <text className="tune-tick" x={WIDTH - RIGHT} y={y(0) - 4} textAnchor="end">
          {words(formatMicros(scale.topP99Us))}
        </text>
        {marked ? <line className="tune-best" x1={x(marked.x)} x2={x(marked.x)} y1={TOP} y2={y(1)} /> : null}
        <polyline className="tune-line tune-line-p99" points={line("latency")} />
        <polyline className="tune-line tune-line-rate" points={line("throughput")} />
        {scale.points.map((one) => (
          <g key={one.point.threads}>
            {one.latency === null ? null : (
              <circle className="tune-dot tune-dot-p99" cx={x(one.x)} cy={y(one.latency)} r={2.5} />
            )}
            <circle
              className="tune-dot tune-dot-rate"
              cx={x(one.x)}
              cy={y(one.throughput)}
              r={one === marked ? 5 : 3}
            />
            <text
              className="tune-tick"
              data-best={one === marked}
              x={x(one.x)}
              y={HEIGHT - 6}
              textAnchor="middle"
            >
              {one.point.threads}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

function spoken(points: TuneState["points"], best: number | undefined): string {
  if (points.length === 0) return "No size measured yet";
  const all = points
    .toSorted((a, b) => a.threads - b.threads)
    .map(
      ({ threads, perSecond, p99Us }) =>
        `${threads} threads ${words(formatRate(perSecond))}, p99 ${words(formatMicros(p99Us))}`,
    )
    .join("; ");
  return best === undefined ? all : `${all}. Best: ${best} threads`;
}
