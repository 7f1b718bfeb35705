import type { Feature } from "../../registry/feature.js";
import { addCommands } from "./addCommands.js";
import { CommandPalette } from "./CommandPalette.js";
import { editCommands } from "./editCommands.js";
import { KeyboardSheet } from "./KeyboardSheet.js";
import { ShortcutHost } from "./ShortcutHost.js";
import { viewCommands } from "./viewCommands.js";

/** What is done by key, by name and from menus; the commands of the drawing are its own. */
export const commands: Feature = {
  name: "commands",
  commands: [...editCommands, ...addCommands, ...viewCommands],
  mounted: [CommandPalette, KeyboardSheet, ShortcutHost],
};
