import type { RouteName } from "../../contract/index.js";
import type { RouteHandler } from "../route.js";
import { cancelBench, startBench } from "./bench.js";
import { cancelBuild, startBuild } from "./build.js";
import { callService, triedCalls } from "./call.js";
import { sendCommand } from "./command.js";
import { examples } from "./examples.js";
import { file, files, saveFile } from "./files.js";
import { generate } from "./generate.js";
import { handlers } from "./handlers.js";
import { cancelLoad, startLoad } from "./load.js";
import { logs } from "./logs.js";
import { nodes } from "./nodes.js";
import {
  createProject,
  deleteProject,
  duplicateProject,
  project,
  projects,
  renameProject,
  saveProject,
  trustProject,
} from "./projects.js";
import { revision, revisions } from "./revisions.js";
import { startRun, stopRun } from "./run.js";
import { exchangeCode, makeCode } from "./session.js";
import { status } from "./status.js";

/** What each row of the contract does. */
export const HANDLERS: { readonly [Name in RouteName]: RouteHandler<Name> } = {
  startBench,
  cancelBench,
  startBuild,
  cancelBuild,
  callService,
  triedCalls,
  sendCommand,
  examples,
  files,
  file,
  saveFile,
  generate,
  handlers,
  startLoad,
  cancelLoad,
  logs,
  nodes,
  projects,
  createProject,
  duplicateProject,
  renameProject,
  deleteProject,
  project,
  saveProject,
  trustProject,
  revisions,
  revision,
  startRun,
  stopRun,
  exchangeCode,
  makeCode,
  status,
};
