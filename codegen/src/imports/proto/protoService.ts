import type protobuf from "protobufjs";
import { refTo } from "../described/described.js";
import { refToType, type Reading } from "./reading.js";
import { completeName } from "./reflection.js";

/** A service of protobuf is a bundle, each of its calls a service; gives the messages that they name. */
export function describeServices(
  service: protobuf.Service,
  { described, leaveOut }: Reading,
): protobuf.Type[] {
  const needed: protobuf.Type[] = [];
  const members: string[] = [];
  for (const method of service.methodsArray) {
    const from = completeName(method);
    method.resolve();
    const { resolvedRequestType: request, resolvedResponseType: response } = method;
    if (method.requestStream === true || method.responseStream === true) {
      leaveOut(from, "a stream");
      continue;
    }
    if (request === null || response === null) continue;
    needed.push(request, response);
    members.push(refTo(from));
    const doc = method.comment ?? "";
    described.services.push({
      from,
      scope: service.name,
      item: {
        name: method.name,
        request: refToType(request),
        response: refToType(response),
        kind: "simple",
        calls: [],
        implementations: [],
        ...(doc === "" ? {} : { doc }),
      },
    });
  }
  const doc = service.comment ?? "";
  described.bundles.push({
    from: completeName(service),
    scope: completeName(service).split(".").at(-2) ?? "",
    item: { name: service.name, services: members, flows: [], ...(doc === "" ? {} : { doc }) },
  });
  return needed;
}
