import { readToken } from "./session.js";

/**
 * What the page asks first, sent while its script is still being read and started: the server answers
 * meanwhile. A script of its own in front of the page's (vite.config.ts): it does not know the contract, which brings its
 * shapes along; tests compare its paths with those of the contract.
 */
const asked = new Map<string, Promise<{ answer: unknown } | undefined>>();

/** Asks what opening the project in the address takes; nothing without a token. */
export function askEarly(): void {
  const token = readToken();
  if (!token) return;
  const project = new URLSearchParams(location.search).get("project");
  const paths = ["/api/status"];
  if (project !== null) {
    const path = `/api/projects/${encodeURIComponent(project)}`;
    paths.push(path, `${path}/nodes`);
  }
  for (const path of paths)
    asked.set(
      path,
      fetch(path, {
        headers: { authorization: `Bearer ${token}` },
        credentials: "omit",
        cache: "no-store",
      })
        .then(async (response) => (response.ok ? { answer: (await response.json()) as unknown } : undefined))
        .catch(() => undefined),
    );
}

/** The answer that was asked for early, once; undefined where none came, or one that is no answer. */
export function takeEarly(path: string): Promise<{ answer: unknown } | undefined> | undefined {
  const answer = asked.get(path);
  asked.delete(path);
  return answer;
}

/** What was asked is old by the time that it will be wanted: the token or the server was not there. */
export const forgetEarly = (): void => asked.clear();
