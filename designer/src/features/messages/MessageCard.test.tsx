import { topologySchema } from "@penstock/codegen/topology";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { documentStore, undo, useDocument } from "../../kernel/document/index.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { open } from "../../testing/ads.js";
import { EnumCard } from "./EnumCard.js";
import { MessageCard } from "./MessageCard.js";

const message = () => documentStore.getState().topology.messages[0]!;
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const choose = (label: string, value: string) => {
  // Some list what there is to choose only then.
  fireEvent.focus(field(label));
  fireEvent.change(field(label), { target: { value } });
};
const type = (label: string, text: string) => {
  const input = field(label);
  fireEvent.change(input, { target: { value: text } });
  fireEvent.keyDown(input, { key: "Enter" });
};

function Cards() {
  const { messages, enums } = useDocument((state) => state.topology);
  return (
    <TooltipProvider>
      <MessageCard message={messages[0]!} index={0} />
      <EnumCard item={enums[0]!} index={0} />
    </TooltipProvider>
  );
}

beforeEach(() => {
  open(
    topologySchema.parse({
      penstock: 1,
      name: "shop",
      messages: [
        {
          name: "Pay",
          fields: ["card", "cash", "note"].map((name, at) => ({ name, type: "string", tag: at + 1 })),
        },
      ],
      enums: [{ name: "Colour", values: [{ name: "NONE", number: 0 }] }],
    }),
  );
  render(<Cards />);
});
afterEach(cleanup);

it("makes fields members of a oneof, of one that is there or another, and none again", () => {
  choose("How many of card", "oneof");
  choose("How many of cash", "oneof");
  expect(message().fields.slice(0, 2)).toMatchObject([
    { optional: true, oneof: "choice" },
    { optional: true, oneof: "choice" },
  ]);
  choose("Oneof of cash", "");
  expect(message().fields[1]).toMatchObject({ oneof: "choice2" });
  choose("Oneof of cash", "choice");
  expect(message().fields[1]).toMatchObject({ oneof: "choice" });
  choose("How many of cash", "optional");
  expect(message().fields[1]).toEqual({ name: "cash", type: "string", tag: 2, optional: true });
});

it("refuses a name that is there until another is typed, and goes on to no new field before", () => {
  const last = message().fields.length;
  const name = `Name of field ${last}`;
  field(name).focus();
  type(name, message().fields[0]!.name);
  expect(screen.getByText(/is there already/)).toBeDefined();
  expect(message().fields).toHaveLength(last);
  fireEvent.change(field(name), { target: { value: "anew" } });
  expect(screen.queryByText(/is there already/)).toBeNull();
});

it("takes what is wrong with a number back with the number, by Escape", () => {
  const tag = field(`Tag of ${message().fields[0]!.name}`);
  fireEvent.change(tag, { target: { value: "-1" } });
  expect(tag.getAttribute("aria-invalid")).toBe("true");
  fireEvent.keyDown(tag, { key: "Escape" });
  expect(tag.getAttribute("aria-invalid")).toBe("false");
});

it("has lists of numbers unpacked, as long as they are some", () => {
  const shapes = () => [...field("How many of note").querySelectorAll("option")].map(({ value }) => value);
  expect(shapes()).not.toContain("unpacked");
  choose("Type of note", "sint32");
  choose("How many of note", "unpacked");
  const note = { name: "note", tag: 3, repeated: true };
  const sint32 = { type: "int32", encoding: "zigzag" };
  expect(message().fields[2]).toEqual({ ...note, ...sint32, packed: false });
  expect(field("How many of note").value).toBe("unpacked");
  choose("Type of note", "Colour");
  expect(message().fields[2]).toEqual({ ...note, type: "Colour", packed: false });
  choose("Type of note", "string");
  expect(message().fields[2]).toEqual({ ...note, type: "string" });
  choose("Type of note", "bool");
  choose("How many of note", "unpacked");
  choose("How many of note", "repeated");
  expect(message().fields[2]).toEqual({ ...note, type: "bool" });
});

it("renames a oneof of all its members, to nothing that is there", () => {
  choose("How many of card", "oneof");
  choose("How many of cash", "oneof");
  type("Name of oneof choice", "note");
  expect(screen.getByText("note is there already")).toBeTruthy();
  type("Name of oneof choice", "with");
  expect(message().fields.map(({ oneof }) => oneof)).toEqual(["with", "with", undefined]);
  expect(screen.getByText("card | cash")).toBeTruthy();
  undo();
  expect(message().fields.map(({ oneof }) => oneof)).toEqual(["choice", "choice", undefined]);
});

it("reserves numbers and names, which new fields leave alone, and says what is none", () => {
  fireEvent.click(screen.getAllByRole("button", { name: "Reserve…" })[0]!);
  expect(document.activeElement).toBe(field("Reserved of Pay"));
  type("Reserved of Pay", "4, 5 to");
  expect(screen.getByText("5 to is no number, no range (9 to 11) and no name")).toBeTruthy();
  expect(message().reserved).toBeUndefined();
  type("Reserved of Pay", "4, 6 to 9, old_name");
  expect(message().reserved).toEqual({ numbers: [4, [6, 9]], names: ["old_name"] });
  fireEvent.click(screen.getByRole("button", { name: "Add field" }));
  fireEvent.click(screen.getByRole("button", { name: "Add field" }));
  expect(message().fields.map(({ tag }) => tag)).toEqual([1, 2, 3, 5, 10]);
  type("Reserved of Pay", "");
  expect(message()).not.toHaveProperty("reserved");
});

it.each(["field", "value"])("gives the keys to the name of an added %s", async (what) => {
  fireEvent.click(screen.getByRole("button", { name: `Add ${what}` }));
  const names = screen.getAllByLabelText(new RegExp(`^Name of ${what} \\d`));
  await waitFor(() => expect(document.activeElement).toBe(names.at(-1)));
});

it("renames a field, and tells the files, which say it", () => {
  type("Name of field 2", "coins");
  expect(message().fields[1]).toEqual({ name: "coins", type: "string", tag: 2 });
  expect(documentStore.getState().renames).toEqual([{ kind: "field", from: "Pay/cash", to: "Pay/coins" }]);
  type("Name of field 2", "cash");
  expect(documentStore.getState().renames).toEqual([]);
});

it("renames a value of an enum, and tells the files, which say it", () => {
  const { renames } = documentStore.getState();
  type("Name of value 1", "NO_COLOUR");
  expect(documentStore.getState().topology.enums[0]?.values).toEqual([{ name: "NO_COLOUR", number: 0 }]);
  expect(documentStore.getState().renames).toEqual([
    { kind: "value", from: "Colour/NONE", to: "Colour/NO_COLOUR" },
  ]);
  undo();
  expect(documentStore.getState().renames).toEqual(renames);
});

it("reserves numbers of an enum", () => {
  fireEvent.click(screen.getAllByRole("button", { name: "Reserve…" })[1]!);
  type("Reserved of Colour", "-5 to max");
  expect(documentStore.getState().topology.enums[0]?.reserved).toEqual({
    numbers: [[-5, 2 ** 31 - 1]],
    names: [],
  });
});
