import { removeEnum, removeMessage, removeService as serviceRemoved } from "@penstock/codegen/rename";
import { withTopology, type DocumentModel } from "../model.js";

/** A service with its calls, stages and placements. Its handler's file is kept by the generator. */
export const removeService = (model: DocumentModel, name: string): DocumentModel =>
  withTopology(model, serviceRemoved(model.topology, name));

/** A message or enum; what used it is left to say so as a problem, where it can be chosen anew. */
export const removeMessageOrEnum = (
  model: DocumentModel,
  kind: "message" | "enum",
  name: string,
): DocumentModel =>
  withTopology(
    model,
    kind === "message" ? removeMessage(model.topology, name) : removeEnum(model.topology, name),
  );
