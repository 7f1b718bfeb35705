import { beforeEach, describe, expect, it, vi } from "vitest";
import { endBinary, resetLive, takeLost, takeSample, takeSchema } from "../live/liveStore.js";
import { sampleOf } from "../../testing/sampleOf.js";
import { schemaOf } from "../../testing/schemaOf.js";
import { ApiFailure } from "../server/api.js";
import { toasts } from "../ui/toast.js";
import { applyLive } from "./applyCommand.js";

const sent: unknown[] = [];
let refusal: ApiFailure | undefined;
vi.mock("../connection/commands.js", () => ({
  sendCommand: async (binary: string, method: string) => {
    if (refusal) throw refusal;
    sent.push([binary, method]);
  },
}));

let drawn = 0;
const resize = () =>
  applyLive("ads-server", "pool.resize", { pool: "models", threads: 4 }, () => (drawn += 1));
const ASKED = [["ads-server", "pool.resize"]];

beforeEach(() => {
  sent.length = 0;
  drawn = 0;
  refusal = undefined;
  resetLive();
});

describe("a live change", () => {
  it("is asked of a binary that is heard of, then drawn", async () => {
    takeSchema(schemaOf({}));
    expect(await resize()).toBe(true);
    expect([sent, drawn]).toEqual([ASKED, 1]);
  });

  it.each([
    ["has failed", endBinary],
    ["the server has lost", takeLost],
  ])("is only drawn where the binary %s, and asked of it once it is heard of again", async (_, goes) => {
    takeSchema(schemaOf({}));
    takeSample("ads-server", sampleOf(0));
    goes("ads-server");
    expect(await resize()).toBe(true);
    expect([sent, drawn]).toEqual([[], 1]);
    takeSample("ads-server", sampleOf(1000));
    await resize();
    expect([sent, drawn]).toEqual([ASKED, 2]);
  });

  it("is only drawn while nothing runs", async () => {
    await resize();
    expect([sent, drawn]).toEqual([[], 1]);
  });

  it("that nobody can draw is asked in any case: its refusal says why it has no effect", async () => {
    takeSchema(schemaOf({}));
    takeLost("ads-server");
    await applyLive("ads-server", "sampling.set", { per128: 4 });
    expect(sent).toEqual([["ads-server", "sampling.set"]]);
  });

  it("that is refused is said with what helps", async () => {
    takeSchema(schemaOf({}));
    refusal = new ApiFailure(409, "PS510", "no CPU 2", "the CPUs are 0 to 1", [], null);
    expect(await resize()).toBe(false);
    expect(toasts.getState().list).toMatchObject([{ title: "no CPU 2", body: "the CPUs are 0 to 1" }]);
  });
});
