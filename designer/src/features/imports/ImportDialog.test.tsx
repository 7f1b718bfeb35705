import type { ImportPlan } from "@penstock/codegen/contract";
import { printTopology } from "@penstock/codegen/topology";
import { cleanup, createEvent, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { documentStore, edit, undo } from "../../kernel/document/index.js";
import { ApiFailure } from "../../kernel/server/api.js";
import { Toasts, TooltipProvider } from "../../kernel/ui/index.js";
import { adsTopology, open } from "../../testing/ads.js";
import { chosenFiles } from "./broughtFiles.js";
import { ImportDialog } from "./ImportDialog.js";
import { bringDropped, bringFiles, closeImport } from "./importStore.js";

const server = vi.hoisted(() => ({
  asked: [] as { topology: string; files: { path: string; text: string }[] }[],
  answer: (): Promise<unknown> => new Promise(() => undefined),
}));
vi.mock("../../kernel/server/api.js", async (original) => ({
  ...(await original<object>()),
  ask: (_name: string, _params: object, { body }: { body: (typeof server.asked)[number] }) => {
    server.asked.push(body);
    return server.answer();
  },
}));

const nothing: ImportPlan["report"] = {
  messages: [],
  enums: [],
  services: [],
  bundles: [],
  kept: [],
  renamed: [],
  leftOut: [],
  notes: [],
};
/** A message more than the drawing has. */
const planOf = (
  report: Partial<ImportPlan["report"]> = {},
  problems: ImportPlan["problems"] = [],
): ImportPlan => {
  const { topology } = documentStore.getState();
  const added = { ...topology, messages: [...topology.messages, { name: "Item", fields: [] }] };
  return {
    topology: printTopology(added),
    report: { ...nothing, messages: [{ from: "shop.Item", to: "Item" }], ...report },
    problems,
  };
};
const answer = (plan: ImportPlan) => (server.answer = () => Promise.resolve(plan));
const bring = (...names: string[]) => bringFiles(chosenFiles(names.map((name) => new File([""], name))));
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const messages = () => documentStore.getState().topology.messages.map(({ name }) => name);

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true;
  };
  open(adsTopology());
  server.asked = [];
  render(
    <TooltipProvider>
      <ImportDialog />
      <Toasts />
    </TooltipProvider>,
  );
});
afterEach(() => {
  closeImport();
  cleanup();
});

it("shows what would be added, and draws it as one step that undo takes back", async () => {
  answer(planOf({ kept: [{ from: "shop.Ad", to: "Ad" }], notes: ["A note."] }));
  void bring("shop.proto");
  await screen.findByText("Adds 1 message.");
  expect(screen.getByText("shop.Item")).toBeTruthy();
  expect(screen.getByText("Drawn already, and used: Ad.")).toBeTruthy();
  expect(screen.getByText("A note.")).toBeTruthy();
  expect(messages()).not.toContain("Item");
  fireEvent.click(button("Add to the drawing"));
  await waitFor(() => expect(messages()).toContain("Item"));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(documentStore.getState().selection).toEqual(["message:Item"]);
  undo();
  expect(messages()).not.toContain("Item");
});

it("leaves out what has no counterpart only when told so", async () => {
  answer(planOf({ leftOut: [{ name: "S.Listen", reason: "a stream", file: "s.proto", line: 3 }] }));
  void bring("s.proto");
  await screen.findByText("s.proto:3");
  expect(button("Add to the drawing").disabled).toBe(true);
  fireEvent.click(screen.getByRole("checkbox", { name: "Leave out, and import the rest" }));
  expect(button("Add to the drawing").disabled).toBe(false);
  // More files may have more to leave out: that is said anew.
  answer(planOf({ leftOut: [{ name: "T.Listen", reason: "a stream", file: "t.proto", line: 4 }] }));
  void bring("t.proto");
  await screen.findByText("t.proto:4");
  expect(button("Add to the drawing").disabled).toBe(true);
});

it("adds nothing that would make the drawing wrong", async () => {
  answer(
    planOf({}, [
      { code: "PS221", severity: "error", message: "Too large", help: "Smaller.", pointer: "/messages/2" },
    ]),
  );
  void bring("big.idl");
  await screen.findByText("Too large");
  expect(button("Add to the drawing").disabled).toBe(true);
});

it("says that there is nothing to add", async () => {
  answer(planOf({ messages: [] }));
  void bring("again.proto");
  await screen.findByText("Nothing to add: all of it is drawn already.");
  expect(screen.queryByRole("button", { name: "Add to the drawing" })).toBeNull();
});

it("says at which line it cannot go on, and takes a file that was missing", async () => {
  const problem = {
    code: "PS980",
    severity: "error" as const,
    message: "imports b.proto, which is not found",
    help: "Drop it, too.",
    pointer: "",
    file: "a.proto",
    line: 2,
  };
  server.answer = () => Promise.reject(new ApiFailure(422, "unreadable", "", "", [problem], null));
  void bring("a.proto");
  await screen.findByText("a.proto:2");
  expect(button("Add to the drawing").disabled).toBe(true);
  answer(planOf());
  void bring("b.proto");
  await screen.findByText("Import 2 files");
  await screen.findByText("Adds 1 message.");
  expect(server.asked.at(-1)?.files.map(({ path }) => path)).toEqual(["a.proto", "b.proto"]);
});

it("asks anew where the drawing has changed meanwhile", async () => {
  answer(planOf());
  void bring("shop.proto");
  await screen.findByText("Adds 1 message.");
  edit("Rename", (model) => ({ ...model, topology: { ...model.topology, doc: "another" } }));
  answer(planOf({ notes: ["Asked again."] }));
  fireEvent.click(button("Add to the drawing"));
  await screen.findByText("Asked again.");
  expect(messages()).not.toContain("Item");
  fireEvent.click(button("Add to the drawing"));
  await waitFor(() => expect(messages()).toContain("Item"));
  expect(documentStore.getState().topology.doc).toBe("another");
});

it("says that a folder which was dropped cannot be read", async () => {
  const createReader = () => ({
    readEntries: (_: unknown, reject: (error: Error) => void) => reject(new Error("It went away.")),
  });
  const items = [{ webkitGetAsEntry: () => ({ isDirectory: true, name: "api", createReader }) }];
  await bringDropped({ items, files: [] } as unknown as DataTransfer);
  await screen.findByText("What was dropped cannot be read");
  expect(screen.getByText("It went away.")).toBeTruthy();
});

it("takes files anywhere on it, beside what it shows as well", async () => {
  answer(planOf());
  void bring("shop.proto");
  await screen.findByText("Adds 1 message.");
  const head = screen.getByText("Import shop.proto");
  const over = createEvent.dragOver(head, { dataTransfer: { types: ["Files"] } });
  fireEvent(head, over);
  expect(over.defaultPrevented).toBe(true);
  fireEvent.drop(head, { dataTransfer: { items: [], files: [new File([""], "item.proto")] } });
  await screen.findByText("Import 2 files");
});
