import { problem, type Problem } from "../model/diagnostics/index.js";
import { type LoadReport, rateText, targetText } from "../contract/index.js";

/** From here on the simulator, not its target, may be what could not keep up. */
const BUSY = 0.9;
/** Seconds before and after the decisive one: a start is always busy. */
const AROUND_S = 3;

/** What helps where most requests failed of the same; undefined: what helps with all of them. */
function helpFor({ failures }: LoadReport): string | undefined {
  const [chief] = failures;
  switch (chief?.reason) {
    case "HTTP 401":
    case "HTTP 403":
      return "It wants a token: send it as a header, `Authorization: Bearer ...`.";
    case "HTTP 404":
      return "Nothing is there: look at the path, and whether it is asked with this method and content type.";
    case "HTTP 400":
    case "HTTP 415":
    case "HTTP 422":
      return "It does not take the body: send one by hand, and see what it is answered.";
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "Its certificate is not trusted for this host: ask for the host by a name that the certificate has, and set `NODE_EXTRA_CA_CERTS` to the certificate of its authority (of `penstock keys`: `keys/ca.crt`).";
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
      return "It does not speak TLS there: ask with `http://`.";
    case "ECONNRESET":
      return "It ends connections: ask with `https://` where it speaks TLS, and look at its log.";
    default:
      return undefined;
  }
}

/** What the reader of a report has to know beside its figures. */
export function loadProblems(report: LoadReport): Problem[] {
  const { outcome, breakingPoint, seconds, target, whole } = report;
  const found: Problem[] = [];
  if (outcome === "failed")
    found.push(problem("PS886", "", `${targetText(target)} was gone after ${seconds.length} s`));
  // A flow may end its events before they count as done.
  const isNone = whole?.completed === 0 && (target.kind === "url" ? whole.sent : whole.failed) > 0;
  if (whole && isNone) {
    const help = helpFor(report);
    const message = `${targetText(target)}: nothing was done of ${rateText(whole.sent)} sent`;
    found.push(problem("PS873", "", message, help === undefined ? {} : { help }));
  }
  const decisive = breakingPoint?.second ?? seconds.length;
  const around = seconds.filter(({ second }) => Math.abs(second - decisive) <= AROUND_S);
  const busy = around.reduce((sum, one) => sum + (one.busy ?? 0), 0) / Math.max(1, around.length);
  if (busy >= BUSY) {
    const when = breakingPoint === null ? "at the end" : "when it broke";
    found.push(
      problem(
        "PS887",
        "",
        `The simulator itself was at work for ${Math.round(busy * 100)} % of the time ${when}`,
      ),
    );
  }
  return found;
}
