import { documentStore } from "../../kernel/document/index.js";
import { onProjectChange } from "../../kernel/server/projectState.js";
import { isOwnAlive, projectStore } from "../../kernel/server/projectStore.js";
import type { Feature } from "../../registry/feature.js";
import { closeProfile, openProfile } from "./profileActions.js";
import { ProfileDialog } from "./ProfileDialog.js";
import type { ProfileTarget } from "./profileStore.js";
import { profileTarget } from "./profileTarget.js";

const runsHere = (binary: string): boolean =>
  projectStore.getState().binaries.some((one) => one.binary === binary && isOwnAlive(one));

const targetNow = (): ProfileTarget | undefined => {
  const { topology, selection } = documentStore.getState();
  return profileTarget(topology, selection[0] ?? "", runsHere);
};

/** Where the CPU time of what runs goes, by service. */
export const profile: Feature = {
  name: "profile",
  commands: [
    {
      name: "run.profile",
      label: "Profile…",
      group: "run",
      when: () => targetNow() !== undefined,
      perform: () => {
        const target = targetNow();
        if (target) openProfile(target);
      },
    },
  ],
  serviceMenu: () => ({ command: "run.profile" }),
  follow: [() => onProjectChange(closeProfile)],
  mounted: [ProfileDialog],
};
