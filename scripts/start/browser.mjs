import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";

/**
 * Has the command line open the designer of a workspace, at a project where one is named. It fetches a
 * one-time address of its own: none stands in the arguments of a process, where others could read it.
 */
export function openBrowser(root, workspace, project) {
  const bin = path.join(root, "codegen", "bin", "penstock.mjs");
  const at = project === undefined ? [] : ["--project", project];
  spawn(process.execPath, [bin, "open", "--workspace", workspace, ...at], { stdio: "ignore" }).on(
    "error",
    () => undefined,
  );
}
