import type { DragEvent } from "react";
import type { StageName } from "../../drawing/queries/runsIn.js";

/** What is dragged in the Threads view: calls or a stage to where they shall run, or a thread to a CPU. */
export type Dragged =
  | { drag: "service"; service: string; stage: StageName | undefined }
  | { drag: "thread"; pool: string; index: number };

const MIME = "application/x-penstock-place";

/** Readable during the drag too, which the data of the event is not. */
let current: Dragged | null = null;

export function startDrag(event: DragEvent, dragged: Dragged): void {
  event.stopPropagation();
  current = dragged;
  event.dataTransfer.setData(MIME, JSON.stringify(dragged));
  event.dataTransfer.effectAllowed = "move";
}
export const endDrag = (): void => {
  current = null;
};

/** Handlers of a place that takes one kind of thing; `data-over` marks it while that hovers. */
export function dropZone<K extends Dragged["drag"]>(
  takes: K,
  drop: (dragged: Extract<Dragged, { drag: K }>) => void,
): Pick<React.HTMLAttributes<HTMLElement>, "onDragOver" | "onDragLeave" | "onDrop"> {
  return {
    onDragOver: (event) => {
      if (current?.drag !== takes) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
      event.currentTarget.dataset["over"] = "true";
    },
    onDragLeave: (event) => {
      delete event.currentTarget.dataset["over"];
    },
    onDrop: (event) => {
      delete event.currentTarget.dataset["over"];
      if (current?.drag !== takes) return;
      event.preventDefault();
      event.stopPropagation();
      const dragged = current as Extract<Dragged, { drag: K }>;
      current = null;
      drop(dragged);
    },
  };
}
