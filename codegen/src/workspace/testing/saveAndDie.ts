import { readDrawing } from "../drawing/drawing.js";
import { saveDrawing } from "../drawing/saveDrawing.js";

/**
 * Saves and kills itself before the given change on the disk, from 1, as a power cut would: `saveAndDie.ts ROOT
 * RECORDS TOPOLOGY LAYOUT STEP`. Prints the revision when it lived through it.
 */
const [root = "", records = "", topology = "", layout = "", last = "0"] = process.argv.slice(2);
const drawing = { topology, layout, savedAtMs: Date.now(), replaces: await readDrawing(root) };
let step = 0;
console.log(
  await saveDrawing({ root, records }, drawing, () => {
    if (++step === Number(last)) process.kill(process.pid, "SIGKILL");
  }),
);
