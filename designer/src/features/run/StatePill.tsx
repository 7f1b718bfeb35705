import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { setDockTab } from "../../kernel/document/index.js";
import { problemStore } from "../../kernel/problems/problemStore.js";
import { useLoss } from "../../kernel/connection/connection.js";
import { isBuilding, isMeasuring, useProject } from "../../kernel/server/projectStore.js";
import { failureStands, stateWords } from "./stateWords.js";

/** One line about what runs; a click leads to where more is said. */
export function StatePill() {
  const said = useProject((state) => state.build);
  const holds = useStore(problemStore, (state) => state.holds);
  const build = failureStands(said, holds) ? said : { ...said, phase: "idle" as const };
  const bench = useProject((state) => state.bench);
  const binaries = useProject((state) => state.binaries);
  const aliveAtMs = useProject((state) => state.aliveAtMs);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const lost = useLoss();
  const known = stateWords(build, bench, binaries, aliveAtMs, now);
  // What it was when the server went says nothing about now.
  const { tone, text } = lost ? ({ tone: "bad", text: "no server" } as const) : known;
  const tab = isMeasuring({ bench })
    ? "bench"
    : build.phase === "failed" || isBuilding({ build })
      ? "build"
      : "logs";
  return (
    <button
      type="button"
      className="state-pill"
      data-tone={tone}
      // It may be cut where the window is narrow.
      title={[text, ...binaries.map((one) => `${one.binary}: ${one.detail || one.state}`)].join("\n")}
      onClick={() => setDockTab(tab)}
    >
      <span className="state-dot" aria-hidden />
      <span className="state-text" role="status">
        {text}
      </span>
    </button>
  );
}
