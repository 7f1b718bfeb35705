import type { AuditLog } from "../session/audit.js";
import type { Status } from "../../contract/index.js";
import type { Workspace } from "../../workspace/index.js";
import type { ProjectRunner } from "../projects/projectRunner.js";
import type { Session } from "../session/session.js";
import type { BrowserHub } from "../sockets/hub.js";
import type { Toolchain } from "../projects/toolchain.js";

/** What the routes work with. */
export interface ServerContext {
  workspace: Workspace;
  session: Session;
  audit: AuditLog;
  hub: BrowserHub;
  toolchain: Toolchain;
  examplesDir: string;
  runners: {
    of(project: string): Promise<ProjectRunner>;
    known(project: string): ProjectRunner | undefined;
    whileStill<T>(project: string, move: () => Promise<T>): Promise<T>;
  };
  status(): Promise<Status>;
  /** Connections that have shown the token. */
  signedIn: WeakSet<object>;
  isReady(): boolean;
  /** A fresh address with a one-time code. */
  freshUrl: () => string;
}
