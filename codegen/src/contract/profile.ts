import { z } from "zod";
import { binaryName } from "./names.js";

/** How long a recording may take. */
export const PROFILE_SECONDS = { min: 1, max: 60, usual: 10 } as const;

export const profileRequestSchema = z.strictObject({
  /** With all its processes. */
  binary: binaryName,
  seconds: z.int().min(PROFILE_SECONDS.min).max(PROFILE_SECONDS.max).exactOptional(),
});
export type ProfileRequest = z.infer<typeof profileRequestSchema>;

/** Whose time it is: a service's, an event source's, else the runtime's, the kernel's or of none of these. */
export const profileOwnerSchema = z.strictObject({
  kind: z.enum(["service", "source", "runtime", "kernel", "other"]),
  /** Of the service or of the flow whose source it is, by which it runs; "" of the others. */
  name: z.string(),
  /** How many samples are its own. */
  samples: z.number(),
});
export type ProfileOwner = z.infer<typeof profileOwnerSchema>;

/** A function as it was called on the way named by its parents: parent (-1: none), name, owner, samples with all it called. */
export const profileFrameSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);
export type ProfileFrame = z.infer<typeof profileFrameSchema>;

/** Where the CPU time of a running binary went. */
export const profileSchema = z.strictObject({
  binary: z.string(),
  processes: z.array(z.string()),
  seconds: z.number(),
  samples: z.number(),
  /** Services and sources, most first, then the rest; one without samples of its own may be the owner of frames. */
  owners: z.array(profileOwnerSchema),
  /** What frames are called, by number. */
  names: z.array(z.string()),
  /** Parents before their children; those too small to be seen are left out. */
  frames: z.array(profileFrameSchema),
});
export type Profile = z.infer<typeof profileSchema>;
