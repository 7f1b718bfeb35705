import { addCommands } from "./addCommands.js";
import { editCommands } from "./editCommands.js";
import { registerCommand } from "../../registry/commands.js";
import { viewCommands } from "./viewCommands.js";

/** Registers the commands of the drawing; those of the run bar come from the shell. Returns the undo. */
export function registerAll(): () => void {
  const unregister = [...editCommands, ...addCommands, ...viewCommands].map(registerCommand);
  return () => unregister.forEach((undo) => undo());
}
