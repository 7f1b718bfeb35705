import { LAST_PORT } from "../model/topology/index.js";

const OF_THIS_HOST = /^(?:127\.0\.0\.1|\[::1\]|localhost):\d{1,5}$/;

/** The port of an address such as `127.0.0.1:9901`. */
export const portOf = (control: string): number => Number(control.slice(control.lastIndexOf(":") + 1));

/** Whether a control address is one that binaries have: they listen on loopback alone. */
export const isControlAddress = (text: string): boolean =>
  OF_THIS_HOST.test(text) && portOf(text) <= LAST_PORT;
