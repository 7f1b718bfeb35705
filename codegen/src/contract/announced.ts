import { z } from "zod";
import { LAST_PORT } from "../model/topology/index.js";

// What a process says of itself before anybody is connected to it, as runtime-cpp writes it: `app/running/app.cpp`,
// `net/nats/announcement.hpp`.

const OF_THIS_HOST = /^(?:127\.0\.0\.1|\[::1\]|localhost):\d{1,5}$/;

/** The port of an address such as `127.0.0.1:9901`. */
export const portOf = (control: string): number => Number(control.slice(control.lastIndexOf(":") + 1));

/** Whether a control address is one that binaries have: they listen on loopback alone. */
export const isControlAddress = (text: string): boolean =>
  OF_THIS_HOST.test(text) && portOf(text) <= LAST_PORT;

/** One JSON line on standard output, when a binary is ready. */
export const readySchema = z.looseObject({
  event: z.literal("ready"),
  binary: z.string(),
  pid: z.int().positive(),
  control: z.string().refine(isControlAddress),
  http: z.string().nullable().optional(),
});

/** What a binary answers over NATS to who asks where it listens. */
export const announcementSchema = z.looseObject({
  penstock: z.literal(1),
  binary: z.string(),
  instance: z.string().regex(/^[0-9a-f]{16}$/),
  addresses: z.array(z.string().max(100)).max(16),
});

/** Whether an announced address is one of those that this version knows: later ones may have more schemes. */
export const isAnnouncedAddress = (text: string): boolean =>
  /^(?:tcp|tls|udp(?:\+keys)?):\/\/[\d.:a-f[\]]+:\d+$/.test(text);
