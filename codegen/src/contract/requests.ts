import { z } from "zod";
import type { CommandMethod } from "./commands.js";
import { serviceCallEndSchema, serviceCallSchema } from "./serviceCall.js";

/** What a running binary is asked on `WS /live` that changes no setting of it: `penstock set` does not offer it. */
interface RequestRow {
  does: string;
  params: z.ZodType;
  result: z.ZodType;
  /** One process of the binary is asked, whichever it is; all else is asked of each. */
  ofOne?: true;
}

export const REQUESTS = {
  "service.call": {
    does: "asks a service once, as the drawn calls do",
    params: serviceCallSchema,
    result: serviceCallEndSchema,
    ofOne: true,
  },
  "live.watch": {
    does: "has samples come every 100 ms (`close`: somebody looks), or every second",
    params: z.strictObject({ close: z.boolean() }),
    result: z.looseObject({ intervalMs: z.number() }),
  },
} as const satisfies Record<string, RequestRow>;

export type RequestMethod = keyof typeof REQUESTS;
export const REQUEST_METHODS = Object.keys(REQUESTS) as RequestMethod[];

/** All that a binary takes on its control socket. */
export type ControlMethod = CommandMethod | RequestMethod;

/** What is asked of one process, whichever it is. */
export const ASKED_OF_ONE: ReadonlySet<ControlMethod> = new Set(
  REQUEST_METHODS.filter((method) => (REQUESTS[method] as RequestRow).ofOne),
);
