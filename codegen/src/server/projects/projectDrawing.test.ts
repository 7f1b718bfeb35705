import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Refusal } from "../../workspace/index.js";
import { TestServer } from "../testing/testServer.js";
import { TestSocket } from "../testing/testSocket.js";
import { until } from "../testing/until.js";
import { ProjectDrawing } from "./projectDrawing.js";

test("a drawing that something else changes on disk is told of", async () => {
  const server = await TestServer.start();
  onTestFinished(() => server.stop());
  const project = await server.create("mine");
  const tab = await TestSocket.open(server, project);
  await tab.next("opened");
  const file = join(server.workspace, "mine/topology.json");
  await writeFile(file, `${await readFile(file, "utf8")}\n`);
  const { revision } = (await server.api("GET", `/api/projects/${project}`)).json;
  const told = () => tab.of("saved").map((message) => message.revision);
  await until("it is told of", () => told().includes(revision));
  expect(new Set(told()).size).toBe(told().length);
  tab.close();
});

describe("what tabs are told", () => {
  let onDisk: () => Promise<unknown>;
  let change: () => void;
  let drawing: ProjectDrawing;
  const told = vi.fn<(message: { revision: string }) => void>();
  const said = vi.fn<(line: string) => void>();
  const ended = vi.fn<() => void>();
  const revisionIs = (revision: string): void => {
    onDisk = () => Promise.resolve({ document: { revision }, topology: {} });
  };
  const changed = async (): Promise<void> => {
    change();
    await vi.advanceTimersByTimeAsync(200);
  };
  const revisions = () => told.mock.calls.map(([{ revision }]) => revision);

  beforeEach(() => {
    vi.useFakeTimers();
    for (const mock of [told, said, ended]) mock.mockReset();
    drawing = new ProjectDrawing(
      { id: "p", name: "mine", folder: "/mine" },
      {
        workspace: { drawn: () => onDisk() },
        toolchain: { format: { hash: () => "h" } },
        publish: told,
        log: said,
      } as never,
      (_folder, _files, look) => {
        change = look;
        return ended;
      },
    );
    drawing.opened("r1");
  });
  afterEach(async () => {
    await drawing.close();
    vi.useRealTimers();
  });

  test("is what they do not know yet, once it has settled", async () => {
    revisionIs("r2");
    change();
    await vi.advanceTimersByTimeAsync(199);
    change();
    await vi.advanceTimersByTimeAsync(199);
    expect(told).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(told.mock.calls).toEqual([[{ type: "saved", project: "p", revision: "r2", topologyHash: "h" }]]);
    await changed();
    expect(revisions()).toEqual(["r2"]);
  });

  test("is not what was saved here, and so it is when that is taken back", async () => {
    revisionIs("r2");
    drawing.saved("r2");
    await changed();
    expect(revisions()).toEqual([]);
    revisionIs("r1");
    await changed();
    expect(revisions()).toEqual(["r1"]);
  });

  test("is a change that another tab has seen as it opened the project", async () => {
    revisionIs("r2");
    drawing.opened("r2");
    await changed();
    expect(revisions()).toEqual(["r2"]);
  });

  test("is that it is damaged, and nothing of one that is gone", async () => {
    onDisk = () => Promise.reject(new Refusal("damaged", "no JSON", "", [], { revision: "r2" }));
    await changed();
    expect(revisions()).toEqual(["r2"]);
    onDisk = () => Promise.reject(new Refusal("not-found", "no such project", ""));
    await changed();
    expect(revisions()).toEqual(["r2"]);
    expect(said.mock.calls).toEqual([["mine: no such project"]]);
  });

  test("is nothing after the end", async () => {
    revisionIs("r2");
    change();
    await drawing.close();
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).not.toHaveBeenCalled();
    expect(ended).toHaveBeenCalled();
  });
});
