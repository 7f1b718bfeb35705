import { openCode } from "../../kernel/document/index.js";
import { useUnwritten } from "../../kernel/document/unwritten.js";
import { formatMicros, words } from "../../kernel/live/figures/format.js";
import { Button } from "../../kernel/ui/index.js";
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
  const took = words(formatMicros(end.tookMs * 1000));
  if ("error" in end) {
    return (
      <>
        <p className="try-failed">
          <span className="mono">{end.error.code}</span> after {took}
        </p>
        <p className="hint">{end.error.message}</p>
        {end.error.code === "unimplemented" ? <WriteIt message={end.error.message} /> : null}
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

/** As the runtime says of a handler that is still as it was generated: `Price is not written yet`. */
const UNWRITTEN = /^(\w+) is not written yet$/;

/** Leads to the handler that is missing, which may be that of a service it asked. */
function WriteIt({ message }: { message: string }) {
  const unwritten = useUnwritten();
  const service = UNWRITTEN.exec(message)?.[1];
  if (service === undefined || !unwritten.has(service)) return null;
  return (
    <Button size="sm" onClick={() => openCode(`service:${service}`)}>
      Write {service}
    </Button>
  );
}
