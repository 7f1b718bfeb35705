import { HttpRefusal } from "../http/httpRefusal.js";
import type { RouteHandler } from "./route.js";
import { removeLaunchPage } from "../session/launchPage.js";

/** Exchanges a one-time code for the token. The guard has checked host, origin and type before. */
export const exchangeCode: RouteHandler<"exchangeCode"> = async ({ body }, { session, audit }) => {
  const result = session.exchange(body.code);
  if ("token" in result) {
    audit.record({ what: "sign-in", result: "ok" });
    await removeLaunchPage(body.code);
    return { token: result.token };
  }
  if (result.refused === "limit") {
    throw new HttpRefusal(
      429,
      "too-many-codes",
      "Too many wrong codes",
      "Wait a moment, then use a fresh address.",
      {
        headers: { "Retry-After": String(result.retryAfterSeconds) },
      },
    );
  }
  throw new HttpRefusal(
    403,
    "code",
    "This address was used already, or is too old",
    "Press Enter in the server's terminal, or run `penstock open`, for a fresh one.",
  );
};

export const makeCode: RouteHandler<"makeCode"> = async (_request, { audit, freshUrl }) => {
  audit.record({ what: "one-time address", result: "made" });
  return { url: freshUrl() };
};
