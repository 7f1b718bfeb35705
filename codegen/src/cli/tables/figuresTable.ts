import { isDegraded, percentWords } from "../../contract/index.js";
import type { LinkFigures } from "../figures/drawnFigures.js";
import type { Figures, NodeFigures, PoolFigures } from "../figures/nodeFigures.js";
import { ruleWords } from "../figures/ruleWords.js";
import type { Paint } from "../terminal/paint.js";

const perSecond = (value: number | null): string =>
  value === null ? "-" : value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(1);

/** Microseconds in the unit that reads best: `840 us`, `12.3 ms`, `1.20 s`. */
export function duration(us: number | null): string {
  if (us === null) return "-";
  if (us < 1000) return `${us < 10 ? us.toFixed(1) : Math.round(us)} us`;
  if (us < 1_000_000) return `${(us / 1000).toFixed(us < 100_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(2)} s`;
}

/** The last one has what is worth a remark, and seldom anything. */
const HEADERS = [
  "node",
  "served/s",
  "errors/s",
  "expired/s",
  "skipped/s",
  "refused/s",
  "p50",
  "p99",
  "waited",
  "ran",
  "queue",
  "busy",
  "",
] as const;
/** Columns that are there only while something is in them: most binaries serve all that they are asked. */
const UNSERVED: readonly string[] = ["expired/s", "skipped/s", "refused/s"];
const seldom = (value: number | null): string => ((value ?? 0) > 0 ? perSecond(value) : "");

const queueOf = (pool: PoolFigures | undefined): string => (pool === undefined ? "" : String(pool.queued));
function busyOf(pool: PoolFigures | undefined): string {
  if (pool === undefined) return "";
  const load = pool.load === null ? "" : ` ${Math.round(pool.load * 100)}%`;
  return `${pool.busy}/${pool.threads}${load}`;
}

/** How long a handler has kept its thread: `stuck 12 s`. */
const stuckFor = (ms: number): string => (ms === 0 ? "" : `stuck ${Math.floor(ms / 1000)} s`);
const stolenOf = ({ stolenPerSecond }: PoolFigures): string =>
  (stolenPerSecond ?? 0) > 0 ? `stole ${perSecond(stolenPerSecond)}/s` : "";

/** `2-32 threads`, `2-32 threads, the most`, `2-32 threads, at rest`. */
function boundsOf({ adaptive, threads }: PoolFigures): string {
  if (adaptive === null) return "";
  const { from, to, on } = adaptive;
  const state = on ? (threads >= to ? ", the most" : "") : ", at rest";
  return `${from}-${to} threads${state}`;
}

const BYTES = ["B", "kB", "MB", "GB"] as const;
/** Bytes a second: `640 B/s`, `1.2 MB/s`. */
function throughput(bytes: number | null): string {
  if (bytes === null) return "-";
  let step = 0;
  while (bytes >= 999.5 && step < BYTES.length - 1) {
    bytes /= 1000;
    step += 1;
  }
  return `${bytes >= 10 || step === 0 ? Math.round(bytes) : bytes.toFixed(1)} ${BYTES[step]}/s`;
}

/** `tcp, 84 us away (p99 1.2 ms), degraded: 5 % sent again, 1.2 MB/s out, 640 kB/s in`, or why nobody is reached. */
function linkWords(link: LinkFigures): string {
  if (link.down !== null) return link.down;
  const trip = link.roundTripP50Us ?? link.roundTripUs;
  const slow = link.roundTripP99Us === null ? "" : ` (p99 ${duration(link.roundTripP99Us)})`;
  const away = trip === null ? [] : [`${duration(trip)} away${slow}`];
  const out = `${throughput(link.sentBytesPerSecond)} out`;
  const into = `${throughput(link.receivedBytesPerSecond)} in`;
  const broke = link.broken > 0 ? [`broke ${link.broken}x`] : [];
  const { resentPercent: again } = link;
  const lossy = isDegraded(again) ? [`degraded: ${percentWords(again)} sent again`] : [];
  return [link.transport, ...away, ...lossy, out, into, ...broke].join(", ");
}

const unservedOf = (of: Pick<NodeFigures, "expiredPerSecond" | "skippedPerSecond" | "refusedPerSecond">) => [
  seldom(of.expiredPerSecond),
  seldom(of.skippedPerSecond),
  seldom(of.refusedPerSecond),
];
const partsOf = (of: Pick<NodeFigures, "waitP50Us" | "runP50Us">) =>
  [of.waitP50Us, of.runP50Us].map((us) => (us === null ? "" : duration(us)));

/**
 * The live table of one binary: a row a flow and service (queue and busy threads are those of the
 * pool that runs it) and below it one an implementation, then one a pool. Cut to `width` columns before colours are added.
 */
export function figuresTable(figures: Figures, paint: Paint, width: number): string[] {
  const pools = new Map(figures.pools.map((pool) => [pool.node.slice(pool.node.indexOf("/") + 1), pool]));
  const rows = [
    ...figures.nodes.flatMap((node) => {
      const pool = pools.get(node.pool);
      return [
        {
          failing: (node.errorsPerSecond ?? 0) > 0 || node.stuckMs > 0,
          cells: [
            node.node.slice(node.node.indexOf(":") + 1),
            perSecond(node.callsPerSecond),
            perSecond(node.errorsPerSecond),
            ...unservedOf(node),
            duration(node.p50Us),
            duration(node.p99Us),
            ...partsOf(node),
            queueOf(pool),
            busyOf(pool),
            stuckFor(node.stuckMs),
          ],
        },
        ...node.implementations.map((one) => ({
          failing: false,
          cells: [
            `  ${one.name}`,
            perSecond(one.callsPerSecond),
            "",
            ...unservedOf(one),
            "",
            "",
            ...partsOf(one),
          ],
        })),
      ];
    }),
    ...[...pools].map(([name, pool]) => ({
      failing: pool.blocked > 0,
      cells: [
        `pool ${name}`,
        ...Array.from({ length: 9 }, () => ""),
        queueOf(pool),
        busyOf(pool),
        [boundsOf(pool), stolenOf(pool)].filter(Boolean).join("  "),
      ],
    })),
    ...figures.links.map((link) => ({
      failing: link.down !== null,
      cells: [
        `to ${link.binary}`,
        ...Array.from({ length: 9 }, () => ""),
        String(link.waiting),
        "",
        linkWords(link),
      ],
    })),
    ...figures.rules.map((rule) => ({
      failing: rule.refused !== undefined,
      cells: [`rule ${rule.of}`, ...Array.from({ length: 11 }, () => ""), ruleWords(rule)],
    })),
  ];
  const widths = HEADERS.map((header, column) =>
    Math.max(header.length, ...rows.map(({ cells }) => (cells[column] ?? "").length)),
  );
  const shown = HEADERS.map(
    (header, column) => !UNSERVED.includes(header) || rows.some(({ cells }) => cells[column] !== ""),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .filter((_, column) => shown[column])
      .join("  ")
      .trimEnd()
      .slice(0, width);
  const seconds = Math.round(figures.t / 1000);
  return [
    paint.bold(`${figures.binary}  ${figures.attached ? "attached, " : ""}up ${seconds} s`.slice(0, width)),
    paint.dim(line(HEADERS)),
    ...rows.map(({ cells, failing }) => (failing ? paint.red(line(cells)) : line(cells))),
  ];
}
