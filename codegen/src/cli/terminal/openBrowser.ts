import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** The program that opens an address for a person; undefined without a display or such a program. */
export function browserProgram(platform: string, env: NodeJS.ProcessEnv): string | undefined {
  if (platform === "darwin") return "/usr/bin/open";
  if ((env["DISPLAY"] ?? "") === "" && (env["WAYLAND_DISPLAY"] ?? "") === "") return undefined;
  const folders = (env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => path.join(folder, "xdg-open")).find((file) => existsSync(file));
}

/** Opens a one-time address in the person's browser, which is told a file's name only; false when there is none. */
export async function openBrowser(url: string): Promise<boolean> {
  const program = browserProgram(process.platform, process.env);
  if (program === undefined) return false;
  const { makeLaunchPage } = await import("../../server/index.js");
  const child = spawn(program, [await makeLaunchPage(url)], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
  return true;
}
