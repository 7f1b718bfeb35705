import type { Command } from "../../registry/commands.js";
import { addCommands } from "./addCommands.js";
import { editCommands } from "./editCommands.js";
import { viewCommands } from "./viewCommands.js";

/** All that is done with the drawing and where one looks. */
export const drawingCommands: readonly Command[] = [...editCommands, ...addCommands, ...viewCommands];
