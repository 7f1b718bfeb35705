import { lazy } from "react";
import type { Feature } from "../../registry/feature.js";

const MessagesView = lazy(() => import("./MessagesView.js").then((all) => ({ default: all.MessagesView })));

/** Messages and enums, with their fields. */
export const messages: Feature = {
  name: "messages",
  view: { view: "messages", what: "The messages", View: MessagesView },
};
