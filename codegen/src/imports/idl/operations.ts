import type { Field } from "../../model/topology/index.js";
import { refTo, type Described } from "../described/described.js";
import { fieldOf } from "./fields.js";
import { docWith, nameOf, suffixOf } from "./names.js";
import { signatureOf, type Interface, type Member, type Operation } from "./syntax.js";

/** A bundle of the interface's name, and a service for each operation. */
export function addInterface(described: Described, { path, operations, doc, place }: Interface): void {
  const seen = new Set<string>();
  const services = operations.map((operation) => {
    const isFirst = !seen.has(operation.name);
    seen.add(operation.name);
    return addOperation(described, path, operation, isFirst);
  });
  const name = nameOf(path);
  const from = path.join("::");
  described.bundles.push({
    from,
    scope: "",
    item: { name, services: services.map(refTo), flows: [], ...docWith(doc, from, name) },
    line: place.line,
  });
}

/** Gives the complete name of the service: the first of several of one name keeps it, the others have their parameters in theirs. */
function addOperation(
  described: Described,
  path: readonly string[],
  operation: Operation,
  isFirst: boolean,
): string {
  const types = operation.parameters.map(({ type }) => type);
  const name = nameOf([...path, operation.name]) + (isFirst ? "" : suffixOf(types));
  const from = [...path, isFirst ? operation.name : signatureOf(operation)].join("::");
  const { parameters, returns, place } = operation;
  const result: Member[] = returns === undefined ? [] : [{ name: "result", type: { of: returns }, place }];
  const request = parameters.filter(({ direction }) => direction !== "out");
  const response = [...result, ...parameters.filter(({ direction }) => direction !== "in")];
  const message = (what: "Request" | "Response", members: readonly Member[]): string => {
    const own = `${from} ${what.toLowerCase()}`;
    const fields = members.map((member, at): Field => fieldOf(described, from, member, at + 1));
    described.messages.push({
      from: own,
      scope: "",
      item: { name: `${name}${what}`, fields },
      line: place.line,
    });
    return refTo(own);
  };
  described.services.push({
    from,
    scope: "",
    item: {
      name,
      request: message("Request", request),
      ...(response.length === 0 ? {} : { response: message("Response", response) }),
      kind: "simple",
      calls: [],
      implementations: [],
      ...docWith(operation.doc, from, name),
    },
    line: place.line,
  });
  return from;
}
