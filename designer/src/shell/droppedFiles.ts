import { useEffect } from "react";

/** Of an element that says so: what takes files shows it while they are held over it. */
const TAKES = "[data-takes-files]";

/**
 * Files that are dragged over the page. Where nothing takes them a browser would open one, in another tab or in place
 * of the page: there they cannot be dropped. What takes them has `data-over` until they leave.
 */
export function useDroppedFiles(): void {
  useEffect(() => {
    let over: Element | null = null;
    const mark = (place: Element | null): void => {
      if (place === over) return;
      over?.removeAttribute("data-over");
      place?.setAttribute("data-over", "");
      over = place;
    };
    // The last to hear of it: what takes the files has prevented what the browser would do.
    const drag = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      const taken = event.defaultPrevented;
      if (!taken) {
        event.preventDefault();
        event.dataTransfer.dropEffect = "none";
      }
      mark(taken && event.target instanceof Element ? event.target.closest(TAKES) : null);
    };
    const drop = (event: DragEvent): void => {
      mark(null);
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    };
    const leave = (event: DragEvent): void => {
      // To another element of the page there is one.
      if (event.relatedTarget === null) mark(null);
    };
    const heard = { dragover: drag, drop, dragleave: leave } as const;
    for (const [name, listener] of Object.entries(heard))
      window.addEventListener(name, listener as EventListener);
    return () => {
      mark(null);
      for (const [name, listener] of Object.entries(heard))
        window.removeEventListener(name, listener as EventListener);
    };
  }, []);
}
