import { PROFILE_SECONDS } from "@penstock/codegen/contract";
import { CircleAlert, LoaderCircle } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { Button, Dialog, Field, NumberField } from "../../kernel/ui/index.js";
import { closeProfile, record } from "./profileActions.js";
import { profileStore, type ProfilePhase, type ProfileTarget } from "./profileStore.js";
import "./profile.css";

const ProfileShown = lazy(() => import("./ProfileShown.js").then((all) => ({ default: all.ProfileShown })));

/** Where the CPU time of a running binary goes: how long to record, then the flame graph. */
export function ProfileDialog() {
  const { target, phase } = useStore(profileStore);
  return target ? <Profiling key={target.binary} target={target} phase={phase} /> : null;
}

function Profiling({ target, phase }: { target: ProfileTarget; phase: ProfilePhase }) {
  const [seconds, setSeconds] = useState<number>(PROFILE_SECONDS.usual);
  const shown = phase.kind === "shown";
  const recording = phase.kind === "recording";
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A button that is disabled loses the focus to the page below, which would take keys as for the drawing.
    if (recording) body.current?.focus();
  }, [recording]);
  return (
    <Dialog
      open
      onOpenChange={closeProfile}
      title={`CPU time of ${target.binary}`}
      width={shown ? 1160 : 480}
      footer={
        <>
          <Button onClick={closeProfile}>{shown ? "Close" : "Cancel"}</Button>
          <Button
            variant={shown ? "secondary" : "primary"}
            disabled={recording}
            onClick={() => void record(seconds)}
          >
            {shown || phase.kind === "refused" ? "Record again" : "Record"}
          </Button>
        </>
      }
    >
      <div ref={body} tabIndex={-1} className="profile">
        {shown ? null : (
          <div className="profile-ask">
            <Field label="Record for">
              <NumberField
                label="Seconds to record"
                min={PROFILE_SECONDS.min}
                max={PROFILE_SECONDS.max}
                unit="s"
                value={seconds}
                disabled={recording}
                onChange={(next) => setSeconds(next ?? seconds)}
              />
            </Field>
            <p className="hint">
              Looks 199 times a second at what each thread is in. The binary goes on as it is.
            </p>
          </div>
        )}
        {recording ? (
          <p className="profile-words" role="status">
            <LoaderCircle size={14} className="spin" aria-hidden />
            Recording for {phase.seconds} s, then reading the stacks.
            <span className="profile-bar" aria-hidden>
              <span style={{ animationDuration: `${phase.seconds}s` }} />
            </span>
          </p>
        ) : null}
        {phase.kind === "refused" ? (
          <p className="profile-words" role="alert">
            <CircleAlert size={14} color="var(--bad)" aria-hidden />
            {phase.words}
          </p>
        ) : null}
        {shown ? (
          <Suspense>
            <ProfileShown profile={phase.profile} service={phase.service} />
          </Suspense>
        ) : null}
      </div>
    </Dialog>
  );
}
