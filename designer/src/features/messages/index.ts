import type { Feature } from "../../registry/feature.js";
import { MessagesView } from "./MessagesView.js";

/** Messages and enums, with their fields. */
export const messages: Feature = {
  name: "messages",
  view: { view: "messages", what: "The messages", View: MessagesView },
};
