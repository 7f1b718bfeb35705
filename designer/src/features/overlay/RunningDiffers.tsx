import { GitCompareArrows } from "lucide-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import { useDocument } from "../../kernel/document/index.js";
import { useDrawnState } from "../../kernel/run/runState.js";
import { liveStore, runningModel } from "../../kernel/live/liveStore.js";
import { differenceLine, runningDifference } from "../../kernel/live/names/runningDifference.js";

/** Why some of what is drawn has no figures: a line on the canvas while what runs has other names. */
export function RunningDiffers() {
  const drawn = useDrawnState();
  const topology = useDocument((state) => state.topology);
  const models = useStore(liveStore, (state) => state.models);
  const line = useMemo(
    // Models change in place: their count says that there is another one.
    () =>
      drawn === "rebuild" && models >= 0 ? differenceLine(runningDifference(topology, runningModel)) : "",
    [drawn, topology, models],
  );
  if (line === "") return null;
  return (
    <div className="running-differs" role="status">
      <GitCompareArrows size={14} aria-hidden />
      <span>{line} Restart builds what is drawn.</span>
    </div>
  );
}
