import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { attach } from "../../kernel/run/attached.js";
import { ApiFailure } from "../../kernel/server/api.js";
import { Button, Dialog, Input, suchAs } from "../../kernel/ui/index.js";
import { attachStore, closeAttach } from "./attachStore.js";
import "./attach.css";

/** Refusals that are about the token; all others are about what is at the address. */
const OF_TOKEN = "PS892";

/** Asks for the control address and the token of a process that something else started. */
export function AttachDialog() {
  const asking = useStore(attachStore, (state) => state.asking);
  return asking === null ? null : <Asking address={asking.address} />;
}

function Asking({ address: offered }: { address: string }) {
  const [address, setAddress] = useState(offered);
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{ at: "address" | "token"; words: string }>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refused) form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus();
  }, [refused]);
  const missing = address.trim() === "" || token.trim() === "";
  const submit = async () => {
    if (missing || busy) return;
    setBusy(true);
    try {
      await attach(address, token);
      closeAttach();
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      const at = cause.problems.some(({ code }) => code === OF_TOKEN) ? "token" : "address";
      setRefused({ at, words: sentences(cause.message, cause.help) });
      setBusy(false);
    }
  };
  const errorAt = (at: "address" | "token") => (refused?.at === at ? refused.words : undefined);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || closeAttach()}
      title="Attach a process"
      width={480}
      footer={
        <>
          <Button onClick={closeAttach}>Cancel</Button>
          <Button variant="primary" disabled={missing || busy} onClick={() => void submit()}>
            {busy ? "Attaching…" : "Attach"}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        className="attach"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="attach-words">
          A binary of this drawing that something else started: by hand, by systemd, in a container. It is
          shown and changed like the others. Run and Stop leave it alone.
        </p>
        <label className="attach-field">
          Control address
          <Input
            autoFocus
            mono
            aria-label="Control address"
            placeholder={suchAs("127.0.0.1:9901")}
            value={address}
            error={errorAt("address")}
            onChange={(event) => {
              setAddress(event.target.value);
              setRefused(undefined);
            }}
          />
          {errorAt("address") ? null : (
            <small>
              As in the line that the binary prints when it is ready. On another host, forward its port first:
              <code className="mono attach-line">ssh -N -L 9901:127.0.0.1:9901 HOST</code>
            </small>
          )}
        </label>
        <label className="attach-field">
          Control token
          <Input
            mono
            type="password"
            aria-label="Control token"
            autoComplete="new-password"
            value={token}
            error={errorAt("token")}
            onChange={(event) => {
              setToken(event.target.value);
              setRefused(undefined);
            }}
          />
          {errorAt("token") ? null : (
            <small>
              The <code className="mono">PENSTOCK_CONTROL_TOKEN</code> that it was started with.
            </small>
          )}
        </label>
        {/* Enter in a field of two needs a button of the form. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}

/** What was refused and what helps, as sentences. */
const sentences = (message: string, help: string): string =>
  [message.charAt(0).toUpperCase() + message.slice(1), help].filter(Boolean).join(". ");
