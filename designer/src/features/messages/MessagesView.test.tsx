import { topologySchema } from "@penstock/codegen/topology";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { documentStore, edit, reveal, workbenchStore } from "../../kernel/document/index.js";
import { addMessage, changeMessage } from "../../kernel/document/edits/messages.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { usesOf, usersOf } from "../../drawing/queries/usersOf.js";
import { adsTopology, open } from "../../testing/ads.js";
import { fieldTypes } from "./TypeSelect.js";
import { MessagesView } from "./MessagesView.js";

const feet: string[] = [];
/** The foot of a card, which says of which it was drawn. */
vi.mock("./ReservedField.js", () => ({
  ReservedField: ({ of }: { of: string }) => {
    feet.push(of);
    return null;
  },
}));

const MESSAGES = 60;
const field = { name: "text", type: "string", tag: 1 };

/** What is watched for being near, by its reference; `come` says that it is. */
const watched = new Map<string, () => void>();
class Watch {
  constructor(private readonly tell: (entries: { isIntersecting: boolean }[]) => void) {}
  observe(place: HTMLElement): void {
    watched.set(place.dataset["ref"] ?? "", () => act(() => this.tell([{ isIntersecting: true }])));
  }
  disconnect(): void {}
}

const places = () => screen.queryAllByRole("region", { name: /^(Message|Enum) / });
const drawn = () =>
  places()
    .filter((card) => card.querySelector("table") !== null)
    .map((card) => card.dataset["ref"]);
const types = (of: string) =>
  [...screen.getByLabelText<HTMLSelectElement>(`Type of ${of}`).options].map(({ label }) => label);

beforeEach(() => {
  vi.stubGlobal("IntersectionObserver", Watch);
  vi.stubGlobal("CSS", { escape: (text: string) => text });
  workbenchStore.setState({ revealed: null });
  open(
    topologySchema.parse({
      penstock: 1,
      name: "shop",
      messages: Array.from({ length: MESSAGES }, (_, at) => ({ name: `M${at}`, fields: [field] })),
      enums: [{ name: "Colour", values: [{ name: "NONE", number: 0 }] }],
    }),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  watched.clear();
});
const show = () =>
  render(
    <TooltipProvider>
      <MessagesView />
    </TooltipProvider>,
  );

it("draws the cards that are near, and keeps them", () => {
  show();
  expect(drawn()).toEqual([]);
  expect([...watched.keys()]).toHaveLength(MESSAGES + 1);
  expect(places()[40]?.textContent).toBe("M40");
  watched.get("message:M1")?.();
  watched.get("enum:Colour")?.();
  expect(drawn()).toEqual(["message:M1", "enum:Colour"]);
});

it("draws what is revealed and what is new wherever it is, and begins to name that", () => {
  show();
  act(() => reveal("message:M40"));
  expect(drawn()).toEqual(["message:M40"]);
  fireEvent.click(screen.getByRole("button", { name: "Add message" }));
  expect(drawn()).toHaveLength(2);
  const name = documentStore.getState().topology.messages.at(-1)?.name;
  expect(document.activeElement).toBeInstanceOf(HTMLInputElement);
  expect((document.activeElement as HTMLInputElement).value).toBe(name);
});

it("draws what the keys come to, and is in its name then", () => {
  show();
  act(() => places().at(-1)?.focus());
  expect(drawn()).toEqual(["enum:Colour"]);
  expect(document.activeElement).toHaveProperty("value", "Colour");
});

it("lists the types of a field once somebody comes near, and says which is missing", () => {
  show();
  watched.get("message:M1")?.();
  expect(types("text")).toEqual(["string"]);
  const place = screen.getByLabelText("Type of text").parentElement?.parentElement as HTMLElement;
  fireEvent.pointerEnter(place);
  expect(types("text")).toContain("M59");
  fireEvent.pointerLeave(place);
  expect(types("text")).toEqual(["string"]);
  const select = screen.getByLabelText<HTMLSelectElement>("Type of text");
  fireEvent.focus(select);
  fireEvent.pointerEnter(place);
  fireEvent.pointerLeave(place);
  // The keys go through the open list, line by line.
  fireEvent.blur(select, { relatedTarget: select.options[3] });
  expect(types("text")).toContain("M59");
  fireEvent.blur(select.options[3]!, { relatedTarget: document.body });
  expect(types("text")).toEqual(["string"]);
  fireEvent.focus(select);
  expect(types("text")).toContain("Colour");
  act(() => {
    edit("Set type", (model) =>
      changeMessage(model, "M1", (item) => ({ ...item, fields: [{ ...field, type: "Gone" }] })),
    );
  });
  expect(types("text").slice(0, 2)).toEqual(["Gone (missing)", "bool"]);
});

it("gives what is typed for one message to no other that comes in its place", () => {
  show();
  watched.get("message:M2")?.();
  const { topology } = documentStore.getState();
  const inputs = ["Name", "Name of field 1", "Tag of text"].map((label) =>
    screen.getByLabelText<HTMLInputElement>(label),
  );
  for (const input of inputs) fireEvent.change(input, { target: { value: "9" } });
  // Changed elsewhere: the first one is gone.
  const changed = { ...topology, messages: topology.messages.slice(1) };
  act(() => open(changed));
  expect(inputs.map(({ isConnected, value }) => [isConnected, value])).toEqual([
    [true, "M3"],
    [true, "text"],
    [true, "1"],
  ]);
  for (const input of inputs) fireEvent.blur(input);
  expect(documentStore.getState().topology).toBe(changed);
});

it("stays in the name of a message that is renamed", () => {
  show();
  watched.get("message:M2")?.();
  const input = screen.getByLabelText<HTMLInputElement>("Name");
  fireEvent.change(input, { target: { value: "Other" } });
  fireEvent.blur(input);
  expect(documentStore.getState().topology.messages[2]?.name).toBe("Other");
  expect([input.isConnected, input.value]).toEqual([true, "Other"]);
});

it("draws no card anew for an edit of another", () => {
  show();
  watched.get("message:M0")?.();
  watched.get("message:M1")?.();
  feet.length = 0;
  act(() => {
    edit("Rename", (model) =>
      changeMessage(model, "M0", (item) => ({ ...item, fields: [{ ...field, name: "other" }] })),
    );
  });
  expect(new Set(feet)).toEqual(new Set(["M0"]));
});

it("keeps the list of types while no type comes, goes or is renamed", () => {
  const { topology } = documentStore.getState();
  const types = fieldTypes(topology);
  edit("Rename", (model) =>
    changeMessage(model, "M0", (item) => ({ ...item, fields: [{ ...field, name: "other" }] })),
  );
  expect(documentStore.getState().topology).not.toBe(topology);
  expect(fieldTypes(documentStore.getState().topology)).toBe(types);
  edit("Add message", (model) => addMessage(model, "Another"));
  expect([...fieldTypes(documentStore.getState().topology)].at(-1)).toBe("Another");
});

it("counts as many uses as there are users", () => {
  const topology = adsTopology();
  const names = topology.messages.map(({ name }) => name);
  expect(names.map((name) => usesOf(topology).get(name) ?? 0)).toEqual(
    names.map((name) => usersOf(topology, name).length),
  );
  expect(usesOf(topology).get("AdRequest")).toBeGreaterThan(2);
});
