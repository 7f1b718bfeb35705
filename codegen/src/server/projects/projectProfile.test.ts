import { expect, test } from "vitest";
import { ProjectProfile } from "./projectProfile.js";
import type { RunnersContext } from "./runnersContext.js";

test("should not begin for who has left already, and be free for the next one", async () => {
  let read = 0;
  const profile = new ProjectProfile(
    { id: "p", name: "mine", folder: "/nowhere" },
    {} as RunnersContext,
    async () => void read++,
    () => null,
  );
  await expect(profile.start({ binary: "app" }, AbortSignal.abort())).rejects.toThrow(
    "The recording was cancelled",
  );
  expect(read).toBe(0);
  const next = profile.start({ binary: "app" }, new AbortController().signal);
  await expect(next).rejects.toThrow("The drawing cannot be read");
});
