import type { Profile } from "@penstock/codegen/contract";
import { flameSvg, ownerText, shareText } from "@penstock/codegen/flame";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kernel/ui/index.js";
import { saveFile } from "../../kernel/ui/handOver.js";
import { FlameGraph, frameColor } from "./FlameGraph.js";

/** A recording: who takes how much, and the flame graph. */
export function ProfileShown({ profile, service }: { profile: Profile; service: string | undefined }) {
  const { owners, samples, seconds } = profile;
  const [root, setRoot] = useState(-1);
  const [highlight, setHighlight] = useState(() =>
    owners.findIndex(({ kind, name }) => kind === "service" && name === service),
  );
  if (samples === 0)
    return (
      <p className="profile-words" role="status">
        {profile.binary} used no CPU time in {seconds} s. Give it something to do, or record for longer.
      </p>
    );
  return (
    <>
      <ul className="profile-shares" aria-label="Shares of the CPU time">
        {owners.map((owner, index) =>
          owner.samples === 0 ? null : (
            <li key={`${owner.kind} ${owner.name}`}>
              <button
                type="button"
                className="profile-share"
                aria-pressed={highlight === index}
                onClick={() => setHighlight(highlight === index ? -1 : index)}
              >
                <span className="profile-dot" style={{ background: frameColor(profile, index) }} />
                {ownerText(owner)} <b>{shareText(owner.samples, samples)}</b>
              </button>
            </li>
          ),
        )}
      </ul>
      <FlameGraph profile={profile} root={root} onRoot={setRoot} highlight={highlight} />
      <div className="profile-below">
        <p className="hint">
          {samples} samples in {seconds} s. Only time on a CPU is seen, not waiting. Click a frame to see it
          over the whole width.
        </p>
        <Button disabled={root < 0} onClick={() => setRoot(-1)}>
          Show all
        </Button>
        <Button
          icon={<Download size={14} strokeWidth={1.75} />}
          onClick={() =>
            saveFile(`${profile.binary}.svg`, flameSvg(profile, owners[highlight]?.name), "image/svg+xml")
          }
        >
          Save SVG
        </Button>
      </div>
    </>
  );
}
