import { keepsRate, STANDARD_SOURCES } from "../model/sources/index.js";
import type { LiveSchema } from "./live.js";

type RunningSource = LiveSchema["flows"][number]["source"];

/** A source of a project's own that keeps a rate says which one it has. */
const makesAtRate = ({ kind, perSecond }: RunningSource): boolean => {
  const manifest = STANDARD_SOURCES.get(kind);
  return manifest === undefined ? perSecond !== null : keepsRate(manifest) === "must";
};

/** Flows whose source makes events at a rate that can be set, rather than reading them no faster than at one. */
export const loadableFlows = ({ flows }: Pick<LiveSchema, "flows">): string[] =>
  flows.filter(({ source }) => makesAtRate(source)).map(({ name }) => name);
