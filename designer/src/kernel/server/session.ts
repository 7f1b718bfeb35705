import type { ApiError } from "@penstock/codegen/contract";

/**
 * Signing in. The address that `npm start` prints carries a one-time code in its fragment (which
 * no server ever sees); the page reads it once, cleans the address and swaps it for a token. The
 * token lives in localStorage, which unlike a cookie belongs to this port alone.
 */
const KEY = "penstock.token";

type Place = Pick<Location, "hash" | "pathname" | "search">;

/** Takes the code out of the address, once; undefined when there is none. */
export function takeCode(
  place: Place = location,
  history: Pick<History, "replaceState"> = window.history,
): string | undefined {
  if (!place.hash.startsWith("#code=")) return undefined;
  const code = place.hash.slice("#code=".length);
  history.replaceState(null, "", place.pathname + place.search);
  return code || undefined;
}

export function readToken(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return memory;
  }
}
let memory: string | undefined;

export function keepToken(token: string): void {
  memory = token;
  try {
    localStorage.setItem(KEY, token);
  } catch {
    // Storage is off: the token lasts as long as the page.
  }
}

/** `then` is called whenever another page of this browser has signed in. */
export function onSignInElsewhere(then: () => void): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === KEY && newValue !== null) then();
  });
}

/** Only after the server itself has refused the token. */
export function dropToken(): void {
  memory = undefined;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

export type SignIn =
  | { kind: "token"; token: string }
  | { kind: "none" }
  /** The code was wrong, used or too old, or the last of too many; `message` is the server's, with what to do. */
  | { kind: "refused"; message: string }
  /** A fault of the server, which said nothing of the code: it may be asked about again. */
  | { kind: "failed"; message: string }
  | { kind: "unreachable" };

/**
 * The token to use: one that is held wins, and the code is left alone; else the code is exchanged.
 * A refused code never costs a token.
 */
export async function signIn(code: string | undefined, fetcher: typeof fetch = fetch): Promise<SignIn> {
  const held = readToken();
  if (held) return { kind: "token", token: held };
  if (!code) return { kind: "none" };
  return exchange(code, fetcher);
}

export async function exchange(code: string, fetcher: typeof fetch = fetch): Promise<SignIn> {
  let response: Response;
  try {
    response = await fetcher("/api/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
      credentials: "omit",
      cache: "no-store",
    });
  } catch {
    return { kind: "unreachable" };
  }
  const body = ((await response.json().catch(() => null)) ?? {}) as Partial<ApiError> & { token?: unknown };
  if (response.ok && typeof body.token === "string") {
    keepToken(body.token);
    return { kind: "token", token: body.token };
  }
  const { message = `The server answered ${response.status}`, help = "" } = body.error ?? {};
  const said = help === "" ? message : `${message}. ${help}`;
  return { kind: response.status >= 500 ? "failed" : "refused", message: said };
}
