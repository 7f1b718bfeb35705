import { existsSync } from "node:fs";
import path from "node:path";
import type { Command } from "../verb/command.js";
import { EXIT, exitOfProblems } from "../verb/exitCode.js";
import { summary } from "../terminal/problemLines.js";
import { projectPlace } from "../project/projectArgument.js";
import { requireTrust, TRUST_OPTION } from "../project/requireTrust.js";

/** `penstock generate`: from the drawing to the C++ project on disk. */
export const command: Command = {
  usage: "[PROJECT] [--dry-run] [--force] [--trust]",
  doc: "Writes the C++ project of a drawing. Your own files are made once, and change only where they\nfollow a rename in the designer; a generated file that someone edited stops the run.",
  positionals: { min: 0, max: 1 },
  options: {
    ...TRUST_OPTION,
    "dry-run": { type: "boolean", doc: "list what would change, write nothing" },
    force: { type: "boolean", doc: "overwrite generated files that were edited" },
  },
  examples: ["penstock generate ads", "penstock generate ads --dry-run"],
  async run(invocation) {
    const { positionals, flag, output } = invocation;
    const place = projectPlace(positionals[0]);
    // Its own nodes bring templates, which generating runs.
    if (["nodes", "sources"].some((own) => existsSync(path.join(place.dir, own))))
      await requireTrust(place.dir, invocation);
    const { generateDrawn } = await import("../../pipeline.js");
    const dryRun = flag("dry-run");
    const answer = await generateDrawn(place.dir, { dryRun, force: flag("force") });
    const { ok, problems, written, unchanged, removed, milliseconds } = answer;
    output.document({ ok, problems, written, unchanged, removed, milliseconds, dryRun });
    output.problems(problems);
    if (!ok) {
      output.note(`Nothing was written: ${summary(problems)}.`);
      return exitOfProblems(problems);
    }
    for (const file of written) output.result(`${dryRun ? "would write" : "wrote"} ${file}`);
    for (const file of removed) output.result(`${dryRun ? "would remove" : "removed"} ${file}`);
    output.note(
      `${written.length} ${dryRun ? "to write" : "written"}, ${unchanged} unchanged, ${removed.length} ${dryRun ? "to remove" : "removed"} (${Math.round(milliseconds)} ms)`,
    );
    return EXIT.done;
  },
};
