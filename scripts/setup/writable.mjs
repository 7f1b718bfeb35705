import { accessSync, constants, existsSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { Obstacle } from "./report.mjs";

/**
 * A clone that root has built in leaves folders its owner cannot write; that is said before a
 * build fails in a strange way.
 * @throws {Obstacle}
 */
export function requireWritable(root, names) {
  for (const name of names) {
    const folder = path.join(root, name);
    const target = existsSync(folder) ? folder : root;
    try {
      accessSync(target, constants.W_OK | constants.X_OK);
    } catch {
      const owner = statSync(target).uid;
      throw new Obstacle(
        `${target} cannot be written by this user (it belongs to user ${owner}, this is user ${process.getuid?.()})`,
        `sudo chown -R "$(id -un)" ${JSON.stringify(target)}`,
      );
    }
  }
}
