import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { ZodError } from "zod";
import { Refusal, refusalOf, type RefusalCode } from "../workspace/index.js";
import { ROUTES, type RouteName, type RouteRow } from "../contract/index.js";
import { LIMITS } from "./http/limits.js";
import type { ServerContext } from "./routes/context.js";
import { HttpRefusal } from "./http/httpRefusal.js";
import { whileAwaited } from "./http/whileAwaited.js";
import { checkBearer } from "./middlewares/bearer.js";
import { readJsonBody } from "./middlewares/jsonBody.js";
import { guardRequest, isApiPath } from "./middlewares/requestGuard.js";
import { setSecurityHeaders } from "./middlewares/securityHeaders.js";
import { readIfMatch, readQuery, requireParams, type RouteHandler } from "./routes/route.js";
import { HANDLERS } from "./routes/index.js";

const STATUS: Record<RefusalCode, number> = {
  "not-found": 404,
  invalid: 400,
  outside: 400,
  exists: 409,
  conflict: 409,
  damaged: 422,
  "read-only": 403,
  untrusted: 403,
  busy: 409,
  refused: 422,
  "disk-full": 507,
  "too-large": 413,
  unavailable: 503,
};

function httpRefusalOf(error: unknown): HttpRefusal {
  if (error instanceof HttpRefusal) return error;
  const named = refusalOf(error, "Not done");
  if (named instanceof Refusal) {
    const { problems, extra } = named;
    return new HttpRefusal(STATUS[named.code], named.code, named.message, named.help, {
      ...(problems ? { problems } : {}),
      ...(extra ? { extra } : {}),
    });
  }
  if (
    (error as { type?: unknown })?.type === undefined &&
    (error as { code?: unknown })?.code === "ECONNRESET"
  ) {
    return new HttpRefusal(400, "aborted", "The request was cut off");
  }
  return new HttpRefusal(
    500,
    "internal",
    "Something went wrong in Penstock",
    "Please report it; the log has more.",
  );
}

function answerRefusal(response: Response, refusal: HttpRefusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.setHeader("Cache-Control", "no-store");
  for (const [name, value] of Object.entries(refusal.options.headers ?? {})) response.setHeader(name, value);
  if (refusal.options.close) response.setHeader("Connection", "close");
  response.status(refusal.status).json(refusal.body());
}

const firstIssue = (error: ZodError): string => {
  const issue = error.issues[0];
  return issue ? `${issue.path.join(".") || "The body"}: ${issue.message}` : "The body has another form";
};

async function readBody(row: RouteRow, request: Request): Promise<unknown> {
  let body: unknown;
  if (row.method === "post" || row.method === "put") {
    body = await readJsonBody(request, row.limit ?? LIMITS.bodyBytes);
  }
  if (row.body) {
    const checked = row.body.safeParse(body);
    if (!checked.success) throw new HttpRefusal(400, "body", firstIssue(checked.error).slice(0, 400));
    return checked.data;
  }
  if (body !== undefined) throw new HttpRefusal(400, "body", "This takes no body");
  return undefined;
}

async function answer(
  name: RouteName,
  request: Request,
  response: Response,
  context: ServerContext,
): Promise<void> {
  const row: RouteRow = ROUTES[name];
  requireParams(request.params);
  const query = readQuery(row, request.url);
  const body = await readBody(row, request);
  const ifMatch = row.ifMatch ? readIfMatch(request) : "";
  // The row ties the types of a handler together; here, over all rows, they are not known.
  const handle = HANDLERS[name] as RouteHandler<never>;
  const checked = {
    params: request.params,
    query,
    body,
    ifMatch,
    raw: request,
    signal: whileAwaited(response),
  };
  const result = await handle(checked as unknown as Parameters<typeof handle>[0], context);
  response.setHeader("Cache-Control", "no-store");
  response.json(result);
}

/**
 * The HTTP side of the server: guard, then token, then body, then route, in this order for every
 * path under /api; the designer's files for everything else.
 *
 * @param hosts the names this server answers to; filled when its port is known
 * @param log writes to a terminal what projects say too, and so without control characters
 */
export function makeApp(
  context: ServerContext,
  hosts: ReadonlySet<string>,
  designerDir: string | undefined,
  log: (line: string) => void,
): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("strict routing", true);
  app.set("case sensitive routing", true);
  app.set("query parser", false);

  app.use((request: Request, response: Response, next: NextFunction) => {
    const refused = guardRequest(request, hosts);
    const host = request.headers.host;
    setSecurityHeaders(response, host !== undefined && hosts.has(host) ? host : undefined);
    next(refused ?? undefined);
  });

  app.get("/healthz", (_request, response) => {
    const ready = context.isReady();
    response.setHeader("Cache-Control", "no-store");
    response.status(ready ? 200 : 503).json({ ok: ready });
  });

  const rows = Object.entries(ROUTES) as [RouteName, RouteRow][];
  const open = new Set(rows.filter(([, row]) => row.open).map(([, { method, path }]) => `${method} ${path}`));
  app.use((request: Request, _response: Response, next: NextFunction) => {
    if (!isApiPath(request.url) || open.has(`${request.method.toLowerCase()} ${request.path}`)) return next();
    const refused = checkBearer(request, context.session);
    if (!refused) context.signedIn.add(request.socket);
    next(refused ?? undefined);
  });

  for (const [name, { method, path }] of rows) {
    app[method](path, (request: Request, response: Response) => answer(name, request, response, context));
  }

  app.use((request: Request, _response: Response, next: NextFunction) => {
    if (!isApiPath(request.url)) return next();
    next(new HttpRefusal(404, "not-found", "The API has no such path"));
  });

  if (designerDir !== undefined) {
    app.use(
      express.static(designerDir, {
        dotfiles: "deny",
        redirect: false,
        setHeaders: (response, path) => {
          // Vite puts a hash into the names below assets/; only the page itself must be asked for again.
          const immutable = /[\\/]assets[\\/][^\\/]+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/.test(path);
          response.setHeader("Cache-Control", immutable ? "public, max-age=31536000, immutable" : "no-cache");
        },
      }),
    );
  }
  app.use((_request: Request, _response: Response, next: NextFunction) => {
    next(new HttpRefusal(404, "not-found", "There is nothing here"));
  });

  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const status = (error as { status?: unknown })?.status;
    const refusal =
      !(error instanceof HttpRefusal) && typeof status === "number" && status >= 400 && status < 500
        ? new HttpRefusal(status, "refused", "The request was refused")
        : httpRefusalOf(error);
    if (refusal.status >= 500 && refusal.code === "internal")
      log(`internal error: ${(error as Error)?.stack ?? String(error)}`);
    if (refusal.status !== 404 || isApiPath(request.url)) {
      context.audit.refusal(request.method, request.url, refusal.status, refusal.code);
    }
    answerRefusal(response, refusal);
  });
  return app;
}
