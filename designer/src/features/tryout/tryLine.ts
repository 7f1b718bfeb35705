import { select } from "../../kernel/document/index.js";
import type { ServiceMenuLine } from "../../registry/feature.js";
import { wantTry } from "./tryStore.js";

/** Opens the form of a service from the menu of its node. */
export const tryLine: ServiceMenuLine = (service, node) => ({
  label: "Try…",
  perform: () => {
    select(node);
    wantTry(service);
  },
});
