import { join } from "node:path";
import type { SandboxOptions } from "../process/index.js";

/** The fence of a binary whose project came from elsewhere. `projectDir` is a real path. */
export const binaryFence = (projectDir: string): SandboxOptions => ({
  readable: [projectDir],
  writable: [join(projectDir, "build")],
  network: true,
  hostPids: true,
});
