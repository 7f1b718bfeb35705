import { onceLoaded } from "../../kernel/ui/index.js";
import type { Feature } from "../../registry/feature.js";

const MessagesView = onceLoaded(() => import("./MessagesView.js").then((all) => all.MessagesView));

/** Messages and enums, with their fields. */
export const messages: Feature = {
  name: "messages",
  view: { view: "messages", what: "The messages", View: MessagesView },
};
