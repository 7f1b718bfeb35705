import { generateProject } from "../../src/pipeline.js";

/** Generates the project of the first argument and kills this process before the step of the second. */
const [, , dir = "", last = "0"] = process.argv;
let step = 0;
void generateProject(dir, {
  onStep: () => {
    if (step++ >= Number(last)) process.kill(process.pid, "SIGKILL");
  },
});
