import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { generateProject } from "../src/pipeline.js";
import { buildProject, counter, QUICKLY, startBinary, until, warningsIn } from "./support/build.js";
import { temporaryFolder } from "./support/project.js";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const MANIFEST = {
  kind: "count-down",
  title: "Count down",
  doc: "Counts down to 1, and says a word.",
  hint: "Events that count down",
  event: { fields: [{ name: "number", types: ["int64"] }] },
  settings: {
    type: "object",
    properties: {
      from: { type: "integer", title: "From", description: "Where it begins.", minimum: 1, maximum: 1000 },
      word: { type: "string", title: "Word", maxLength: 12, default: 'a "word"' },
      mood: { type: "string", title: "Mood", enum: ["calm", "wild"], default: "calm" },
      share: { type: "number", title: "Share", minimum: 0, maximum: 1 },
      loud: { type: "boolean", title: "Loud", default: false },
      perSecond: { type: "number", title: "Numbers per second", format: "rate" },
    },
    required: ["from"],
  },
};

/** Fails once on its way, and refuses to be made for a wild mood. */
const CLASS = `#pragma once

#include <stdexcept>

#include "sources/count_down.hpp"

namespace own::sources::count_down {

template <class Event>
class Source {
 public:
  explicit Source(const Settings& settings) : settings_(settings), left_(settings.from) {
    if (settings.mood == "wild") throw std::runtime_error("too wild for " + settings.word);
  }

  std::optional<Event> next(const penstock::SourceStop& stop) {
    if (left_ == 0 || stop.requested()) return std::nullopt;
    if (left_ == 3 && !failed_) {
      failed_ = true;
      throw penstock::Error(penstock::ErrorCode::unavailable, "three is not there yet");
    }
    return Event{left_--, settings_.word + (settings_.loud ? "!" : "") +
                              (settings_.share ? " " + std::to_string(*settings_.share) : "")};
  }

 private:
  const Settings settings_;
  std::int64_t left_;
  bool failed_ = false;
};

}  // namespace own::sources::count_down
`;

const topology = (source: Record<string, unknown>) => ({
  penstock: 1,
  name: "own",
  messages: [
    {
      name: "Count",
      fields: [
        { name: "number", type: "int64", tag: 1 },
        { name: "word", type: "string", tag: 2 },
      ],
    },
  ],
  services: [
    { name: "Note", request: "Count", node: { type: "log", settings: { text: "{number} {word}" } } },
  ],
  flows: [
    {
      name: "Counts",
      event: "Count",
      source: { kind: "count-down", ...source },
      stages: [{ id: "note", service: "Note", role: "side-effect" }],
    },
  ],
  bundles: [{ name: "All", services: ["Note"], flows: ["Counts"] }],
  binaries: [{ name: "own", bundles: ["All"] }],
});

describe("a source that a project brings, compiled and run", () => {
  const folder = temporaryFolder();
  const draw = async (source: Record<string, unknown>): Promise<void> => {
    writeFileSync(join(folder.path, "topology.json"), JSON.stringify(topology(source)));
    const { ok, problems } = await generateProject(folder.path);
    expect([ok, problems]).toEqual([true, []]);
  };
  const ended = (control: string, outcome: string): Promise<number> =>
    counter(control, "penstock_flow_events_total", `flow="Counts",binary="own",outcome="${outcome}"`);

  beforeAll(async () => {
    mkdirSync(join(folder.path, "sources/count-down"), { recursive: true });
    writeFileSync(join(folder.path, "sources/count-down/source.json"), JSON.stringify(MANIFEST));
    writeFileSync(join(folder.path, "sources/count-down/source.hpp"), CLASS);
    await draw({ from: 5 });
    expect(warningsIn(buildProject(folder.path, ["own"], QUICKLY))).toEqual([]);
  });
  afterAll(() => folder[Symbol.dispose]());

  test("emits its events to the last, a failure on the way counted, and stops", async () => {
    const running = await startBinary(folder.path, "own");
    try {
      await until("five events", async () => (await ended(running.control, "completed")) === 5);
      expect(await ended(running.control, "failed")).toBe(1);
      // Two threads take them, and what they say comes in by itself.
      const notes = () => (running.said().match(/Note: .*(?=\n)/g) ?? []).sort();
      await until("five notes", async () => notes().length === 5);
      expect(notes()).toEqual([1, 2, 3, 4, 5].map((n) => `Note: ${n} a "word"`));
      expect(await running.stop()).toBe(0);
    } finally {
      running.child.kill("SIGKILL");
    }
  });

  test("takes other settings out of the configuration without a build, paused where its rate is 0", async () => {
    await draw({ from: 1, word: "go", loud: true, share: 0.5, perSecond: 1000 });
    const running = await startBinary(folder.path, "own");
    try {
      await until("its event", async () => (await ended(running.control, "completed")) === 1);
      await until("what it says", async () => running.said().includes("Note: 1 go! 0.5"));
      expect(await running.stop()).toBe(0);
    } finally {
      running.child.kill("SIGKILL");
    }
    await draw({ from: 1, perSecond: 0 });
    const paused = await startBinary(folder.path, "own");
    expect(await ended(paused.control, "completed")).toBe(0);
    expect(await paused.stop()).toBe(0);
  });

  test("does not start where its class cannot be made, or its configuration is wrong, and says why", async () => {
    await draw({ from: 1, mood: "wild" });
    await expect(startBinary(folder.path, "own")).rejects.toThrow(
      /ended with 78: .*\/flows\/Counts\/source: cannot be made: too wild for a "word"/,
    );
    const config = join(folder.path, "generated/config/own.json");
    await draw({ from: 1, word: "short" });
    const drawn = readFileSync(config, "utf8");
    writeFileSync(config, drawn.replace('"from": 1', '"from": 2000'));
    await expect(startBinary(folder.path, "own")).rejects.toThrow(
      /ended with 78: .*\/flows\/Counts\/source\/from: is 2000; use a whole number of units from 1 to 1000/,
    );
    writeFileSync(config, drawn.replace('"short"', '"thirteen long"'));
    await expect(startBinary(folder.path, "own")).rejects.toThrow(
      /ended with 78: .*\/flows\/Counts\/source\/word: has 13 characters; use a text of 0 to 12 characters/,
    );
  });
});
