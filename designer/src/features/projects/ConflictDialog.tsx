import { parseTopology } from "@penstock/codegen/topology";
import { useState } from "react";
import { resolveConflict, useDocument } from "../../kernel/document/index.js";
import { Button, Dialog } from "../../kernel/ui/index.js";
import { versionDifference } from "./versionDifference.js";

/** Names shown of each kind of difference; the rest is a number. */
const SHOWN = 8;

function Names({ title, names }: { title: string; names: readonly string[] }) {
  const more = names.length - SHOWN;
  return (
    <section aria-label={title} className="versions-side">
      <h3>{title}</h3>
      {names.length === 0 ? <p className="hint">nothing</p> : null}
      <ul>
        {names.slice(0, SHOWN).map((name) => (
          <li key={name} className="mono">
            {name}
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="hint">and {more} more</p> : null}
    </section>
  );
}

/** Two people (or two tabs) changed the same project: both versions exist until somebody decides. */
export function ConflictDialog() {
  const conflict = useDocument((state) => state.conflict);
  const topology = useDocument((state) => state.topology);
  const [later, setLater] = useState<string | null>(null);
  if (!conflict) return null;
  if (later === conflict.revision)
    return (
      <div className="conflict-again">
        <Button variant="danger" onClick={() => setLater(null)}>
          Not saved: decide between two versions…
        </Button>
      </div>
    );
  const theirs = parseTopology(conflict.topology).topology;
  const difference = theirs ? versionDifference(topology, theirs) : undefined;
  const same = difference && Object.values(difference).every((names: string[]) => names.length === 0);
  return (
    <Dialog
      open
      width={560}
      onOpenChange={(open) => open || setLater(conflict.revision)}
      title="This project was changed elsewhere"
      footer={
        <>
          <Button onClick={() => setLater(conflict.revision)}>Decide later</Button>
          <Button onClick={() => void resolveConflict("theirs")}>Take theirs, drop mine</Button>
          <Button variant="primary" onClick={() => void resolveConflict("mine")}>
            Keep mine
          </Button>
        </>
      }
    >
      <p>
        Another tab, editor or the command line saved it after you opened it here. Your drawing is kept in
        this browser and not saved. If you keep yours, theirs stays in the revisions.
      </p>
      {same ? <p>Both have the same model; only places on the canvas differ.</p> : null}
      {difference && !same ? (
        <div className="versions">
          <Names title="Only in yours" names={difference.onlyMine} />
          <Names title="Only in theirs" names={difference.onlyTheirs} />
          <Names title="Drawn differently" names={difference.changed} />
        </div>
      ) : null}
      {difference ? null : <p>Theirs cannot be read by this version of Penstock.</p>}
    </Dialog>
  );
}
