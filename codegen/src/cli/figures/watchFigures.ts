import {
  connectLive,
  connectPatiently,
  type LiveAddress,
  type LiveConnection,
  PATIENCE_MS,
} from "../../live/index.js";
import type { LiveSample } from "../../contract/index.js";
import { patiently } from "../verb/patience.js";
import { type Figures, figuresOf } from "./nodeFigures.js";

/** Rates over less than this jump about too much to be read. */
const WINDOW_MS = 900;

export interface FiguresWatch {
  close(): void;
}

/**
 * Follows one running binary: `onFigures` gets figures formed over about the last second, once a
 * sample; `onLost` is told when nothing comes any more.
 */
export function watchFigures(
  running: LiveAddress,
  onFigures: (figures: Figures) => void,
  onLost: () => void,
  live: LiveConnection = connectLive(running),
): FiguresWatch {
  const window: LiveSample[] = [];
  live.on("sample", (sample) => {
    if (live.schema === null) return;
    // A restarted binary counts from zero: what came before says nothing about it.
    if ((window.at(-1)?.t ?? 0) > sample.t) window.length = 0;
    window.push(sample);
    while (window.length > 2 && sample.t - (window[1]?.t ?? 0) >= WINDOW_MS) window.shift();
    const earlier = window.length > 1 ? window[0] : undefined;
    onFigures(figuresOf(live.schema, sample, earlier));
  });
  live.on("lost", onLost);
  return { close: () => live.close() };
}

/** Figures of one binary over a full second: what `monitor --once` prints. Undefined when it is lost. */
export function figuresOnce(
  running: LiveAddress,
  patienceMs: number = patiently(PATIENCE_MS),
): Promise<Figures | undefined> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const watch = watchFigures(
      running,
      (figures) => {
        firstAt ??= figures.t;
        if (figures.t - firstAt < WINDOW_MS) return;
        watch.close();
        resolve(figures);
      },
      () => {
        watch.close();
        resolve(undefined);
      },
      connectPatiently(running, patienceMs),
    );
  });
}
