import type { SettingSchema } from "@penstock/codegen/manifests";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { SettingField } from "./SettingField.js";

afterEach(cleanup);

const numbers = { type: "integer" } as const;
const ports = { request: undefined, response: undefined, callee: undefined, decides: undefined };
const emptied = (schema: SettingSchema, value: unknown, field: string): unknown => {
  const onChange = vi.fn<(value: unknown) => void>();
  const given = { title: "Times", pointer: "/times", required: true, readOnly: false };
  render(<SettingField {...given} {...{ schema, value, ports, onChange }} />, { wrapper: TooltipProvider });
  fireEvent.change(screen.getByLabelText(field), { target: { value: "" } });
  fireEvent.blur(screen.getByLabelText(field));
  return onChange.mock.calls;
};

it("takes a number that is emptied out of its list", () => {
  expect(emptied({ type: "array", items: numbers }, [1, 2, 3], "Times 2")).toEqual([[[1, 3]]]);
});

it("takes a number that is emptied out of its map", () => {
  const schema: SettingSchema = { type: "object", additionalProperties: numbers };
  expect(emptied(schema, { a: 1, b: 2 }, "b")).toStrictEqual([[{ a: 1 }]]);
});
