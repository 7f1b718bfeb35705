import { beforeEach, describe, expect, it, vi } from "vitest";
import { dropToken, exchange, keepToken, readToken, signIn, takeCode } from "./session.js";

const answer = (status: number, body: unknown) =>
  vi.fn<typeof fetch>(async () => new Response(JSON.stringify(body), { status }));

describe("sign-in", () => {
  beforeEach(() => {
    dropToken();
    history.replaceState(null, "", "/");
  });

  it("reads the code once and cleans the address, keeping the rest of it", () => {
    history.replaceState(null, "", "/?project=ads#code=abc-123");
    expect(takeCode()).toBe("abc-123");
    expect(location.hash).toBe("");
    expect(location.search).toBe("?project=ads");
    expect(takeCode()).toBeUndefined();
  });

  it("leaves other fragments alone", () => {
    history.replaceState(null, "", "/#elsewhere");
    expect(takeCode()).toBeUndefined();
    expect(location.hash).toBe("#elsewhere");
  });

  it("exchanges the code for a token without cookies", async () => {
    const fetcher = answer(200, { token: "t0ken" });
    expect(await signIn("code", fetcher)).toEqual({ kind: "token", token: "t0ken" });
    expect(readToken()).toBe("t0ken");
    const [url, init] = fetcher.mock.calls[0] as unknown as [string, RequestInit];
    expect(url).toBe("/api/session");
    expect(init.credentials).toBe("omit");
    expect(init.body).toBe('{"code":"code"}');
  });

  it("ignores a code while it holds a token", async () => {
    keepToken("mine");
    const fetcher = answer(200, { token: "theirs" });
    expect(await signIn("code", fetcher)).toEqual({ kind: "token", token: "mine" });
    expect(fetcher).not.toHaveBeenCalled();
  });

  it("keeps its token whatever a wrong code says", async () => {
    keepToken("mine");
    expect(await exchange("wrong", answer(401, { error: { message: "used already" } }))).toEqual({
      kind: "refused",
      message: "used already",
    });
    expect(readToken()).toBe("mine");
  });

  it("tells a server that does not answer from one that refuses", async () => {
    const dead = vi.fn<typeof fetch>(async () => Promise.reject(new TypeError("failed")));
    expect(await signIn("code", dead)).toEqual({ kind: "unreachable" });
    expect(await signIn(undefined, dead)).toEqual({ kind: "none" });
  });
});
