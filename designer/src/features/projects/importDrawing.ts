import { parseTopology } from "@penstock/codegen/topology";
import { useEffect, type DragEvent } from "react";
import { isTyping } from "../../registry/keys.js";
import { whyNoDrawing } from "../../kernel/problems/damage.js";
import { toast } from "../../kernel/ui/index.js";

/** A `topology.json` that somebody brought, and the name it gives itself. */
export interface Drawing {
  text: string;
  name: string;
}

/** Undefined, and said why, when a text is none. */
export function readDrawing(text: string, whence: string): Drawing | undefined {
  const { topology } = parseTopology(text);
  if (topology) return { text, name: topology.name };
  toast(`${whence} is no topology.json`, { tone: "bad", body: whyNoDrawing(text) });
  return undefined;
}

export const readDrawingFile = async (file: File): Promise<Drawing | undefined> =>
  readDrawing(await file.text(), file.name);

/** Lets the user choose a file. */
export function pickDrawing(take: (drawing: Drawing) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".json,application/json";
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void readDrawingFile(file).then((drawing) => drawing && take(drawing));
  });
  input.click();
}

/** Takes a drawing that is pasted anywhere on the page but in a field. */
export function usePastedDrawing(take: (drawing: Drawing) => void): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (isTyping(event.target) || !text.includes('"penstock"')) return;
      event.preventDefault();
      const drawing = readDrawing(text, "What was pasted");
      if (drawing) take(drawing);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, [take]);
}

/** Of an element onto which a file can be dropped. */
export const dropOfDrawing = (take: (drawing: Drawing) => void) => ({
  onDragOver: (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  },
  onDrop: (event: DragEvent) => {
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    void readDrawingFile(file).then((drawing) => drawing && take(drawing));
  },
});
