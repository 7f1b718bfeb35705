import { ROUTES } from "@penstock/codegen/contract";
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
    const { method, path } = ROUTES.exchangeCode;
    expect([init.method?.toLowerCase(), url]).toEqual([method, path]);
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

  it("says what the server says to do, of too many attempts as of a used code", async () => {
    const error = { code: "too-many-codes", message: "Too many wrong codes", help: "Wait a moment." };
    expect(await exchange("wrong", answer(429, { error }))).toEqual({
      kind: "refused",
      message: "Too many wrong codes. Wait a moment.",
    });
  });

  it("does not take a fault of the server for a refusal of the code", async () => {
    expect(await exchange("right", answer(500, null))).toEqual({
      kind: "failed",
      message: "The server answered 500",
    });
  });

  it("tells a server that does not answer from one that refuses", async () => {
    const dead = vi.fn<typeof fetch>(async () => Promise.reject(new TypeError("failed")));
    expect(await signIn("code", dead)).toEqual({ kind: "unreachable" });
    expect(await signIn(undefined, dead)).toEqual({ kind: "none" });
  });
});
