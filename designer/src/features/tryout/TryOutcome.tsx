import type { TryEnd } from "./tryStore.js";
import { TryTrace } from "./TryTrace.js";

/** What a call came to: its answer or error with the time it took and its way, or why nobody was asked. */
export function TryOutcome({ end }: { end: TryEnd | null }) {
  return (
    <div className="try-end" role="status">
      {end === null ? null : <Ended end={end} />}
    </div>
  );
}

function Ended({ end }: { end: TryEnd }) {
  if ("refused" in end) {
    return (
      <>
        <p className="try-failed">{end.refused}</p>
        {end.help ? <p className="hint">{end.help}</p> : null}
      </>
    );
  }
  const way = end.trace && end.trace.length > 0 ? <TryTrace trace={end.trace} tookMs={end.tookMs} /> : null;
  const took = `${end.tookMs < 10 ? end.tookMs.toFixed(2) : end.tookMs.toFixed(0)} ms`;
  if ("error" in end) {
    return (
      <>
        <p className="try-failed">
          <span className="mono">{end.error.code}</span> after {took}
        </p>
        <p className="hint">{end.error.message}</p>
        {way}
      </>
    );
  }
  return (
    <>
      <p className="hint">Answered in {took}</p>
      <pre className="try-answer mono" tabIndex={0} aria-label="Answer">
        {JSON.stringify(end.answer, null, 2)}
      </pre>
      {way}
    </>
  );
}
