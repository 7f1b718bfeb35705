import os from "node:os";
import path from "node:path";
import process from "node:process";

/** A folder of what all clones of this user know by its content, as ccache does; PENSTOCK_CACHE names another one. */
export const cacheFolder = (name, env = process.env) =>
  path.join(
    env.PENSTOCK_CACHE || path.join(env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "penstock"),
    name,
  );
