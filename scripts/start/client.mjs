/**
 * A client of the designer's server that signs in with a one-time address, as a browser does.
 * Every call throws with the server's own words when it is refused.
 */
export async function signIn(address) {
  const url = new URL(address);
  const base = url.origin;
  const code = new URLSearchParams(url.hash.slice(1)).get("code");
  const ask = async (method, route, body, token) => {
    const answer = await fetch(base + route, {
      method,
      headers: {
        Origin: base,
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = text === "" ? undefined : JSON.parse(text);
    if (!answer.ok) throw new Error(json?.error?.message ?? `${method} ${route}: ${answer.status}`);
    return json;
  };
  const { token } = await ask("POST", "/api/session", { code });
  return {
    base,
    token,
    get: (route) => ask("GET", route, undefined, token),
    post: (route, body = {}) => ask("POST", route, body, token),
  };
}
