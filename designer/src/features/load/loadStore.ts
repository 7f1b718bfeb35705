import {
  headerOf,
  LOAD_DEFAULTS,
  type LoadRequest,
  type LoadSettings,
  type LoadTarget,
} from "@penstock/codegen/contract";
import { createStore } from "zustand/vanilla";
import { projectStore } from "../../kernel/server/projectStore.js";

/** What the form says; it stays while the tab is left, and is that of one project. */
export interface LoadForm {
  /** `ads-server/Impressions` or `url`; "": whatever can be loaded first. */
  chosen: string;
  url: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  body: string;
  /** `Authorization: Bearer ...`; "": none. */
  header: string;
  settings: LoadSettings;
}
/** Until somebody says another one. */
export const FIRST_URL = "http://127.0.0.1:8080/";
const fresh: LoadForm = {
  chosen: "",
  url: FIRST_URL,
  method: "POST",
  body: "",
  header: "",
  settings: LOAD_DEFAULTS,
};
export const loadStore = createStore<LoadForm>(() => fresh);

// The tab is loaded when it is first shown, by then of a project.
let formOf = projectStore.getState().project;
// The address, body and token of one project are nothing to another.
projectStore.subscribe(({ project }) => {
  if (project === null || project === formOf) return;
  if (formOf !== null) loadStore.setState(fresh);
  formOf = project;
});

export const setLoadSettings = (changed: Partial<LoadSettings>): void =>
  loadStore.setState(({ settings }) => ({ settings: { ...settings, ...changed } }));

/** A flow that can be loaded. */
export interface LoadableFlow {
  binary: string;
  flow: string;
}
export const flowKey = ({ binary, flow }: LoadableFlow): string => `${binary}/${flow}`;

/** What the form stands for, given the flows that can be loaded now; null when it is none of them. */
export function targetOf(
  { chosen, url, method }: LoadForm,
  flows: readonly LoadableFlow[],
): LoadTarget | null {
  if (chosen === "url" || (chosen === "" && flows.length === 0)) return { kind: "url", method, url };
  const flow = chosen === "" ? flows[0] : flows.find((one) => flowKey(one) === chosen);
  return flow ? { kind: "flow", ...flow } : null;
}

/** Why this cannot be sent as a header; "": it can, or there is none. */
export const headerFault = (header: string): string =>
  header === "" || headerOf(header) !== undefined
    ? ""
    : "A header is a name and a value, such as Accept: text/plain";

export function requestOf(form: LoadForm, target: LoadTarget): LoadRequest {
  const hasBody =
    target.kind === "url" && target.method !== "GET" && target.method !== "HEAD" && form.body !== "";
  const hasHeader = target.kind === "url" && form.header !== "";
  return {
    target,
    settings: form.settings,
    ...(hasBody ? { body: form.body } : {}),
    ...(hasHeader ? { headers: [form.header] } : {}),
  };
}
