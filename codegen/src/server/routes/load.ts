import { HttpRefusal } from "../http/httpRefusal.js";
import type { RouteHandler } from "./route.js";

/** The server sends requests to this machine only; the command line loads any address. */
function requireLoopback(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new HttpRefusal(
      422,
      "address",
      `${text === "" ? "Nothing" : text} is no address that can be loaded`,
      "It begins with http:// or https://, such as http://127.0.0.1:8080/mo.",
    );
  const near = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (near && url.username === "") return;
  throw new HttpRefusal(
    422,
    "address",
    "The designer loads addresses of this machine only",
    "Use one such as http://127.0.0.1:8080/mo; `penstock load` loads any address.",
  );
}

export const startLoad: RouteHandler<"startLoad"> = async (request, { runners, workspace, audit }) => {
  const project = request.params.project;
  const asked = request.body;
  if (asked.target.kind === "url") requireLoopback(asked.target.url);
  await workspace.requireTrust(project);
  const runner = await runners.of(project);
  runner.startLoad(asked);
  audit.record({ what: "load", project: runner.name, result: "started" });
  return { started: true };
};

export const cancelLoad: RouteHandler<"cancelLoad"> = async (request, { runners, audit }) => {
  const runner = await runners.of(request.params.project);
  const cancelled = await runner.cancelLoad();
  audit.record({ what: "stop load", project: runner.name, result: cancelled ? "ok" : "none was running" });
  return { cancelled };
};
