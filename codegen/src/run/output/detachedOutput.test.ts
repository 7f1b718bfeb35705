import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FULL_BYTES, openDetachedOutput } from "./detachedOutput.js";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "penstock-output-"));
  process.env["XDG_STATE_HOME"] = state;
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

/** So many bytes of lines, each with its number. */
function lines(bytes: number): string {
  let text = "";
  for (let number = 0; text.length < bytes; number++) text += `line ${number}\n`;
  return text;
}

test("row 77: a detached binary's output beyond two files loses its beginning, and no byte of its end", async () => {
  // The user's own shell may be anything.
  process.env["SHELL"] = "/bin/false";
  const output = await openDetachedOutput("app");
  const ended = once(output.logger, "exit");
  const text = `${lines(2.5 * FULL_BYTES)}the last line\n`;
  output.logger.stdin?.end(text);
  await ended;

  const [file, older] = [output.path, `${output.path}.1`].map((path) => readFileSync(path, "utf8"));
  expect(older?.length).toBe(FULL_BYTES);
  expect(text.endsWith(`${older}${file}`)).toBe(true);
  expect(file?.endsWith("the last line\n")).toBe(true);
  expect(statSync(output.path).mode & 0o777).toBe(0o600);
});

test("should give every byte once to who reads along while the file is begun anew", async () => {
  const output = await openDetachedOutput("app");
  const ended = once(output.logger, "exit");
  let read = "";
  const take = (chunk: Buffer): void => void (read += chunk.toString());
  const text = lines(1.2 * FULL_BYTES);
  const cut = Math.floor(0.9 * FULL_BYTES);
  output.logger.stdin?.write(text.slice(0, cut));
  await expect.poll(async () => (await output.readOn(take), read.length)).toBe(cut);
  output.logger.stdin?.end(text.slice(cut));
  await ended;
  await output.readToEnd(take);
  expect(read === text).toBe(true);
});

test("should take all output where the file cannot be written, and write again when it can", async () => {
  const output = await openDetachedOutput("app");
  const ended = once(output.logger, "exit");
  const logs = dirname(output.path);
  rmSync(logs, { recursive: true });
  const text = lines(3.5 * FULL_BYTES);
  const cut = Math.floor(1.5 * FULL_BYTES);
  await new Promise((resolve) => output.logger.stdin?.write(text.slice(0, cut), resolve));
  mkdirSync(logs);
  output.logger.stdin?.end(text.slice(cut));
  await ended;
  expect(text.endsWith(readFileSync(output.path, "utf8"))).toBe(true);
});

test("should remove the output of earlier runs but for the last five of each name, and none that is in use", async () => {
  const running = await openDetachedOutput("app");
  const silent = once(running.logger, "exit");
  const folder = dirname(running.path);
  const logs = (): string[] => readdirSync(folder).toSorted();
  /** The `at`-th run wrote last at this second. */
  const ended = (name: string, at: number): string => {
    const file = `${name}-0000000${at}.log`;
    for (const one of at === 0 ? [file, `${file}.1`] : [file]) {
      writeFileSync(join(folder, one), "what it said\n");
      utimesSync(join(folder, one), at, at);
    }
    return file;
  };
  const app = Array.from({ length: 7 }, (_, at) => ended("app", at));
  const other = Array.from({ length: 5 }, (_, at) => ended("app.2", at));
  const mine = ["app-notes.log", "app-0000000g.log"];
  // It has said something once, long before all others, and runs on.
  running.logger.stdin?.write("ready\n");
  for (const name of mine) writeFileSync(join(folder, name), "");
  await expect.poll(() => existsSync(running.path) && readFileSync(running.path, "utf8")).toBe("ready\n");
  utimesSync(running.path, 0, 0);

  const next = await openDetachedOutput("app");
  expect(logs()).toEqual(
    [...app.slice(2), ...other, `${other[0]}.1`, ...mine, basename(running.path)].toSorted(),
  );
  const over = once(next.logger, "exit");
  for (const { logger } of [running, next]) logger.stdin?.end();
  await Promise.all([silent, over]);
});
