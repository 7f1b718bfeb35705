import { expect, test } from "vitest";
import { shareWaiting } from "./shareWaiting.js";

test("should let all who ask meanwhile share the next answer, and ask about something else at once", async () => {
  const asked: { about: string; answer: (text: string) => void; fail: (error: Error) => void }[] = [];
  const share = shareWaiting(
    (about) => new Promise<string>((answer, reject) => asked.push({ about, answer, fail: reject })),
  );
  const names = () => asked.map(({ about }) => about);
  const first = share("a");
  const others = Array.from({ length: 99 }, () => share("a"));
  void share("b");
  expect(names()).toEqual(["a", "b"]);
  asked[0]!.fail(new Error("not there"));
  await expect(first).rejects.toThrow("not there");
  await expect.poll(names).toEqual(["a", "b", "a"]);
  asked[2]!.answer("new");
  expect(new Set(await Promise.all(others))).toEqual(new Set(["new"]));
  void share("a");
  await expect.poll(names).toEqual(["a", "b", "a", "a"]);
});
