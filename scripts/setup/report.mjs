import process from "node:process";

/**
 * Steps for people, on stderr: each says what it does and how long it took. On a terminal the
 * line of a running step is redrawn with its progress; elsewhere only its start and end are
 * printed, so that logs stay readable.
 */
const terminal = process.stderr.isTTY === true;
const colour = terminal && process.env.NO_COLOR === undefined;
const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);

export const seconds = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
export const say = (text) => process.stderr.write(`${text}\n`);
export const good = (text) => say(`${paint("32", "✓")} ${text}`);
export const bad = (text) => say(`${paint("31", "✗")} ${text}`);

/**
 * A running step; `progress(text)` shows where it is, exactly one of `done` and `failed` ends it. `usual`:
 * how long it takes on a machine like yours, in words, where that is long enough to wonder.
 */
export function beginStep(title, usual = "") {
  const usually = usual === "" ? "" : `usually ${usual}`;
  const startedAt = performance.now();
  if (!terminal) say(`- ${title}${usually === "" ? "" : ` (${usually})`}`);
  const draw = (text) => {
    if (!terminal) return;
    const width = (process.stderr.columns ?? 80) - 1;
    const line = `- ${title}${text === "" ? "" : `  ${text}`} (${[seconds(startedAt), usually].filter(Boolean).join(", ")})`;
    process.stderr.write(`\r\u001b[2K${line.slice(0, width)}`);
  };
  let shown = "";
  draw(shown);
  const timer = terminal ? setInterval(() => draw(shown), 200) : undefined;
  timer?.unref();
  const end = () => {
    clearInterval(timer);
    if (terminal) process.stderr.write("\r\u001b[2K");
  };
  return {
    progress(text) {
      shown = text;
      draw(text);
    },
    done(text = "") {
      end();
      good(`${title}${text === "" ? "" : `: ${text}`} (${seconds(startedAt)})`);
    },
    failed(text = "") {
      end();
      bad(`${title}${text === "" ? "" : `: ${text}`} (${seconds(startedAt)})`);
    },
  };
}

/** Thrown when something the person must change is in the way; set-up prints it and exits 3. */
export class Obstacle extends Error {
  /** @param {string} message what is wrong  @param {string} remedy the line that helps */
  constructor(message, remedy) {
    super(message);
    this.remedy = remedy;
  }
}
