import { documentStore } from "../../kernel/document/index.js";
import { runningName } from "../../kernel/live/liveStore.js";
import { onProjectChange } from "../../kernel/server/projectState.js";
import { isOwnAlive, projectStore } from "../../kernel/server/projectStore.js";
import type { Feature } from "../../registry/feature.js";
import { closeProfile, openProfile } from "./profileActions.js";
import { ProfileDialog } from "./ProfileDialog.js";
import type { ProfileTarget } from "./profileStore.js";
import { profileTarget } from "./profileTarget.js";

/** Whether what is drawn by this name runs, by whichever it was built with. */
const runsHere = (binary: string): boolean => {
  const name = runningName(binary);
  return projectStore.getState().binaries.some((one) => one.binary === name && isOwnAlive(one));
};

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
