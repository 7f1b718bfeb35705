import type { Feature } from "../../registry/feature.js";
import { CommandPalette } from "./CommandPalette.js";
import { drawingCommands } from "./drawingCommands.js";
import { KeyboardSheet } from "./KeyboardSheet.js";
import { ShortcutHost } from "./ShortcutHost.js";

/** What is done by key, by name and from menus; the commands of the drawing are its own. */
export const commands: Feature = {
  name: "commands",
  commands: drawingCommands,
  mounted: [CommandPalette, KeyboardSheet, ShortcutHost],
};
