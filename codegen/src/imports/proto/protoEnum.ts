import type protobuf from "protobufjs";
import { snakeCase, type EnumType } from "../../model/topology/index.js";
import { asThing, isNumbersOnly, refuseLongNumber, reservedOf, type Reading } from "./reading.js";
import { completeName } from "./reflection.js";

/** `STATUS_` of the values of `Status`, where all of them have it and something legal behind it. */
function prefixOf(item: protobuf.Enum): string {
  const prefix = `${snakeCase(item.name).toUpperCase()}_`;
  const names = Object.keys(item.values);
  return names.every((name) => name.startsWith(prefix) && /^[A-Z]/.test(name.slice(prefix.length)))
    ? prefix
    : "";
}

export function describeEnum(item: protobuf.Enum, { loaded, described, leaveOut, note }: Reading): void {
  const from = completeName(item);
  if (isNumbersOnly(item)) return leaveOut(from, "an enum without a value 0: its fields become int32");
  const prefix = prefixOf(item);
  const met = new Set<number>();
  const values: EnumType["values"] = [];
  for (const [name, number] of Object.entries(item.values)) {
    refuseLongNumber(`${from}.${name}`, number, loaded);
    if (met.has(number)) {
      leaveOut(`${from}.${name}`, `a second name of the number ${number}`);
      continue;
    }
    met.add(number);
    const doc = item.comments[name] ?? "";
    values.push({ name: name.slice(prefix.length), number, protoName: name, ...(doc === "" ? {} : { doc }) });
  }
  if (values[0]?.number !== 0) {
    note(`The value 0 of ${from} is drawn first.`);
    values.sort((a, b) => Number(b.number === 0) - Number(a.number === 0));
  }
  const doc = item.comment ?? "";
  described.enums.push(
    asThing(item, loaded, { values, ...reservedOf(item, loaded), ...(doc === "" ? {} : { doc }) }),
  );
}
