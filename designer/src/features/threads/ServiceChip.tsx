import { select, useDocument } from "../../kernel/document/index.js";
import { stageRef } from "../../kernel/document/edits/flows.js";
import { poolOptions } from "../../kernel/fields/poolOptions.js";
import type { StageName } from "../../drawing/queries/runsIn.js";
import { placeService } from "../../kernel/run/placeService.js";
import { joinToPool } from "./actions.js";
import { endDrag, startDrag } from "./dragPlace.js";

/**
 * A service on a thread: the calls to it, or a stage. Dragged to another thread or pool it is placed there, a
 * stage joined to it; P moves it by keyboard.
 */
export function ServiceChip({
  binary,
  service,
  stage,
  pool,
  color,
  named,
  fixed,
}: {
  binary: string;
  service: string;
  stage?: StageName | undefined;
  /** Where it is drawn. */
  pool?: string;
  color: string;
  /** Says what of the service it is: there are several on the thread. */
  named?: boolean;
  /** It cannot be placed: no binary serves it. */
  fixed?: boolean;
}) {
  const readOnly = useDocument((state) => state.readOnly);
  const found = useDocument((state) => state.topology.binaries.find((item) => item.name === binary));
  const movable = !readOnly && !fixed;
  const what = stage ? `stage ${stage.stage} of ${stage.flow}` : "calls";
  const nextPool = () => {
    if (!found) return;
    const pools = poolOptions(found)
      .map((option) => option.value)
      .filter((value) => !value.startsWith("+"));
    const next = pools[(pools.indexOf(pool ?? "") + 1) % pools.length];
    if (next === undefined) return;
    if (stage) void joinToPool(binary, stage, next);
    else placeService(binary, service, next, undefined);
  };
  return (
    <button
      type="button"
      className="service-chip mono"
      aria-label={`Service ${service}${named ? `, ${what}` : ""}`}
      aria-keyshortcuts={movable ? "P" : undefined}
      title={movable ? `${stage ? `The ${what}. ` : ""}Drag onto a thread or pool; P: next pool` : undefined}
      style={{ "--tone": color } as React.CSSProperties}
      draggable={movable}
      onDragStart={(event) => startDrag(event, { drag: "service", service, stage })}
      onDragEnd={endDrag}
      onClick={(event) => {
        event.stopPropagation();
        select(stage ? stageRef(stage.flow, stage.stage) : `service:${service}`);
      }}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== "p" || event.ctrlKey || event.metaKey || !movable) return;
        event.preventDefault();
        nextPool();
      }}
    >
      {service}
      {named ? <small> {stage ? `${stage.flow}/${stage.stage}` : "calls"}</small> : null}
    </button>
  );
}
