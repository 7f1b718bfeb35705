import type { Route } from "../route.js";
import { cancelBench, startBench } from "./bench.js";
import { cancelBuild, startBuild } from "./build.js";
import { callServiceOnce, listTriedCalls } from "./call.js";
import { sendCommand } from "./command.js";
import { getExamples } from "./examples.js";
import { getFile, listFiles, saveFile } from "./files.js";
import { generate } from "./generate.js";
import { followHandlers } from "./handlers.js";
import { cancelLoad, startLoad } from "./load.js";
import { getLogs } from "./logs.js";
import { listNodes } from "./nodes.js";
import {
  createProject,
  deleteProject,
  duplicateProject,
  listProjects,
  openProject,
  renameProject,
  saveProject,
  trustProject,
} from "./projects.js";
import { getRevision, listRevisions } from "./revisions.js";
import { startRun, stopRun } from "./run.js";
import { exchangeCode, makeCode } from "./session.js";
import { getStatus } from "./status.js";

/** Everything under /api, as `protocol/api.ts` lists it. */
export const ROUTES: readonly Route[] = [
  exchangeCode,
  makeCode,
  getStatus,
  getExamples,
  listProjects,
  createProject,
  openProject,
  saveProject,
  duplicateProject,
  renameProject,
  deleteProject,
  listRevisions,
  getRevision,
  trustProject,
  generate,
  startBuild,
  cancelBuild,
  startBench,
  cancelBench,
  startLoad,
  cancelLoad,
  startRun,
  stopRun,
  listNodes,
  listFiles,
  getFile,
  saveFile,
  followHandlers,
  sendCommand,
  callServiceOnce,
  listTriedCalls,
  getLogs,
];
