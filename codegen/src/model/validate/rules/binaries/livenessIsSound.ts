import { quote } from "../../../diagnostics/index.js";
import {
  DEFAULT_LIVENESS,
  LIVENESS_LABELS,
  LONGEST_SILENCE_MS,
  SHORTEST_SILENCE_MS,
} from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const KEYS = ["pingMs", "lostMs", "hostLostMs"] as const;
/** As the form of a binary calls it, and the file. */
const said = (key: (typeof KEYS)[number]): string => `${LIVENESS_LABELS[key]} (\`${key}\`)`;

const CODES = {
  PS628: {
    severity: "error",
    title: "Liveness out of range",
    explanation: `What is said in \`liveness\` is ${SHORTEST_SILENCE_MS} to ${LONGEST_SILENCE_MS} milliseconds, and ${said("lostMs")} at least two times ${said("pingMs")}: the other end is asked, and has as long to answer, before it is given up.`,
    help: `Use times in that range, ${said("lostMs")} two times ${said("pingMs")} or more, or leave them out: ${KEYS.map((key) => `${said(key)} is ${DEFAULT_LIVENESS[key]} then`).join(", ")}.`,
  },
} satisfies Codes;

/** When the links of a binary are taken for lost: in range, and after the other end had time to answer. */
export const livenessIsSound = rule({
  name: "livenessIsSound",
  codes: CODES,
  check({ topology, report }) {
    for (const [at, { name, liveness }] of topology.binaries.entries()) {
      if (liveness === undefined) continue;
      const place = (key: string) => ["binaries", at, "liveness", key];
      const wrong = KEYS.filter((key) => {
        const ms = liveness[key];
        return ms !== undefined && (ms < SHORTEST_SILENCE_MS || ms > LONGEST_SILENCE_MS);
      });
      for (const key of wrong)
        report(
          "PS628",
          place(key),
          `${said(key)} of ${quote(name)} is ${liveness[key]} ms, not ${SHORTEST_SILENCE_MS} to ${LONGEST_SILENCE_MS}`,
        );
      const { pingMs = DEFAULT_LIVENESS.pingMs, lostMs = DEFAULT_LIVENESS.lostMs } = liveness;
      if (wrong.length === 0 && lostMs < 2 * pingMs)
        report(
          "PS628",
          place(liveness.lostMs === undefined ? "pingMs" : "lostMs"),
          liveness.lostMs === undefined
            ? `${said("pingMs")} of ${quote(name)} is ${pingMs} ms, more than half of the ${lostMs} ms of ${said("lostMs")}`
            : `${said("lostMs")} of ${quote(name)} is ${lostMs} ms, less than two times the ${pingMs} ms of ${said("pingMs")}`,
        );
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS628",
    title: "a host that is lost at once",
    spoil: ({ binary }) => void (binary.liveness = { hostLostMs: 9 }),
    pointer: "/binaries/0/liveness/hostLostMs",
  },
  {
    code: "PS628",
    title: "a ping each hour and more",
    spoil: ({ binary }) => void (binary.liveness = { pingMs: 3_600_001 }),
    pointer: "/binaries/0/liveness/pingMs",
  },
  {
    code: "PS628",
    title: "a link that is lost before anybody answers",
    spoil: ({ binary }) => void (binary.liveness = { lostMs: 1999 }),
    pointer: "/binaries/0/liveness/lostMs",
  },
  {
    code: "PS628",
    title: "a ping as the link is lost",
    spoil: ({ binary }) => void (binary.liveness = { pingMs: 1501 }),
    pointer: "/binaries/0/liveness/pingMs",
  },
];
