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
const wipe = () => process.stderr.write("\r\u001b[2K");

/** The steps under way; on a terminal they share the last line. */
const running = new Set();
let redrawing;
function draw() {
  if (!terminal || running.size === 0) return;
  const width = (process.stderr.columns ?? 80) - 1;
  wipe();
  process.stderr.write(
    [...running]
      .map((words) => words())
      .join("  ")
      .slice(0, width),
  );
}

export function say(text) {
  if (terminal && running.size > 0) wipe();
  process.stderr.write(`${text}\n`);
  draw();
}
export const good = (text) => say(`${paint("32", "✓")} ${text}`);
export const bad = (text) => say(`${paint("31", "✗")} ${text}`);

/**
 * A running step, of which several may run at once; `progress(text)` shows where it is, exactly one of `done` and
 * `failed` ends it. `usual`: how long it takes on a machine like yours, in words, where that is long enough to wonder.
 */
export function beginStep(title, usual = "") {
  const usually = usual === "" ? "" : `usually ${usual}`;
  const startedAt = performance.now();
  if (!terminal) say(`- ${title}${usually === "" ? "" : ` (${usually})`}`);
  let shown = "";
  const words = () =>
    `- ${title}${shown === "" ? "" : `  ${shown}`} (${[seconds(startedAt), usually].filter(Boolean).join(", ")})`;
  running.add(words);
  draw();
  if (terminal && redrawing === undefined) redrawing = setInterval(draw, 200).unref();
  const end = (tell, text) => {
    if (terminal) wipe();
    running.delete(words);
    if (running.size === 0) redrawing = void clearInterval(redrawing);
    tell(`${title}${text === "" ? "" : `: ${text}`} (${seconds(startedAt)})`);
  };
  return {
    progress(text) {
      shown = text;
      draw();
    },
    done: (text = "") => end(good, text),
    failed: (text = "") => end(bad, text),
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
