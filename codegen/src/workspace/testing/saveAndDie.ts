import { saveDrawing } from "../saveDrawing.js";
import { steppedFileOps } from "./steppedFileOps.js";

/**
 * Saves and kills itself before the given step, as a power cut would: `saveAndDie.ts ROOT RECORDS
 * FROM TOPOLOGY LAYOUT STEP`. Prints the revision when it lived through it.
 */
const [root = "", records = "", from = "", topology = "", layout = "", step = "0"] = process.argv.slice(2);
const ops = steppedFileOps((at) => {
  if (at === Number(step)) process.kill(process.pid, "SIGKILL");
});
console.log(await saveDrawing({ root, records }, from, { topology, layout, savedAtMs: Date.now() }, ops));
