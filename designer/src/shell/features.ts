// In this order their style sheets follow each other, too.
import { overlay } from "../features/overlay/index.js";
import { canvas } from "../features/canvas/index.js";
import { joins } from "../features/joins/index.js";
import { code } from "../features/code/index.js";
import { commands } from "../features/commands/index.js";
import { explorer } from "../features/explorer/index.js";
import { presets } from "../features/presets/index.js";
import { inspector } from "../features/inspector/index.js";
import { nodes } from "../features/nodes/index.js";
import { tryout } from "../features/tryout/index.js";
import { messages } from "../features/messages/index.js";
import { threads } from "../features/threads/index.js";
import { attach } from "../features/attach/index.js";
import { tune } from "../features/tune/index.js";
import { profile } from "../features/profile/index.js";
import { bench } from "../features/bench/index.js";
import { problems } from "../features/problems/index.js";
import { traces } from "../features/traces/index.js";
import { metrics } from "../features/metrics/index.js";
import { load } from "../features/load/index.js";
import { run } from "../features/run/index.js";
import { imports } from "../features/imports/index.js";
import { projects } from "../features/projects/index.js";
import type { Feature } from "../registry/feature.js";
import { frameCommands } from "./frameCommands.js";

/**
 * Every feature of the designer, and the only place that names them all. Their order is that of the tabs of the
 * dock and of the commands in the palette.
 */
export const FEATURES: readonly Feature[] = [
  canvas,
  overlay,
  explorer,
  inspector,
  threads,
  messages,
  code,
  nodes,
  joins,
  presets,
  tryout,
  commands,
  problems,
  run,
  attach,
  metrics,
  bench,
  traces,
  load,
  tune,
  profile,
  { name: "frame", commands: frameCommands },
  imports,
  projects,
];
