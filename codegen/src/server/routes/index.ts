import type { RouteName } from "../../contract/index.js";
import type { RouteHandler } from "./route.js";
import { attach, detach } from "./attach.js";
import { cancelBench, startBench } from "./bench.js";
import { cancelBuild, generate, startBuild } from "./build.js";
import { callService, triedCalls } from "./call.js";
import { sendCommand } from "./command.js";
import { file, files, saveFile } from "./files.js";
import { handlers } from "./handlers.js";
import { planImport } from "./importPlan.js";
import { cancelLoad, startLoad } from "./load.js";
import { examples, nodes, status } from "./offers.js";
import { cancelProfile, profile } from "./profile.js";
import {
  createProject,
  deleteProject,
  duplicateProject,
  project,
  projects,
  renameProject,
  revision,
  revisions,
  saveProject,
  trustProject,
} from "./projects.js";
import { logs, startRun, stopRun } from "./run.js";
import { exchangeCode, makeCode } from "./session.js";

/** What each row of the contract does. */
export const HANDLERS: { readonly [Name in RouteName]: RouteHandler<Name> } = {
  attach,
  detach,
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
  profile,
  cancelProfile,
  logs,
  nodes,
  projects,
  createProject,
  duplicateProject,
  renameProject,
  deleteProject,
  planImport,
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
