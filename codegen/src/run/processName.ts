import { portOf } from "../contract/index.js";

/**
 * What a process of a binary is called in logs, files and figures: the first one as the binary, the next one
 * `models-server.2`, which no binary can be called.
 */
export const processName = (binary: string, replica: number): string =>
  replica === 1 ? binary : `${binary}.${replica}`;

/** One that something else started: by the port of its control address here, `models-server@9901`. */
export const attachedName = (binary: string, control: string): string => `${binary}@${portOf(control)}`;
