import type { Profile } from "@penstock/codegen/contract";
import { createStore } from "zustand/vanilla";

/** A binary that runs, and the service that the question came from. */
export interface ProfileTarget {
  binary: string;
  service?: string;
}

export type ProfilePhase =
  | { kind: "asking" }
  | { kind: "recording"; project: string; seconds: number }
  /** With the service that the question came from, by the name that it runs by. */
  | { kind: "shown"; profile: Profile; service?: string }
  | { kind: "refused"; words: string };

export interface ProfileState {
  /** Null: nobody asks. */
  target: ProfileTarget | null;
  phase: ProfilePhase;
}

export const profileStore = createStore<ProfileState>(() => ({ target: null, phase: { kind: "asking" } }));
