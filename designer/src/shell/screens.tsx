import type { Problem } from "@penstock/codegen/diagnostics";
import type { RevisionInfo } from "@penstock/codegen/contract";
import { CircleAlert, KeyRound, LoaderCircle, Unplug } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { reconnect } from "../kernel/connection/connection.js";
import { Button, Prose } from "../kernel/ui/index.js";
import { Logo } from "../kernel/ui/icons/Logo.js";
import { follow, goTo, restore } from "../features/projects/index.js";
import { sayFailure } from "../kernel/run/runActions.js";

function Card({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <main className="screen">
      <div className="screen-card">
        <div className="screen-brand">
          <Logo size={22} /> Penstock
        </div>
        <h1>
          {icon} {title}
        </h1>
        {children}
      </div>
    </main>
  );
}

/** So long a wait is one that somebody wonders about. */
const LONG_MS = 5000;

interface Waiting {
  /** Asks once more. */
  retry: () => void;
  /** Goes elsewhere. */
  leave?: () => void;
}

export function WaitingScreen({ words, retry, leave }: Waiting & { words: string }) {
  const [asked, setAsked] = useState(0);
  const again = () => {
    setAsked(asked + 1);
    retry();
  };
  return (
    <main className="screen" aria-busy="true">
      <div className="screen-wait" role="status">
        <LoaderCircle size={16} className="spin" /> {words}
      </div>
      <LongWait key={asked} retry={again} {...(leave ? { leave } : {})} />
    </main>
  );
}

/** What can be done when the answer is long in coming. */
function LongWait({ retry, leave }: Waiting) {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!long) return null;
  return (
    <div className="screen-long" role="alert">
      <p>The Penstock server has not answered for {LONG_MS / 1000} seconds.</p>
      <p>It may be busy; this page goes on as soon as it answers. Look at the terminal in which it runs.</p>
      <div className="screen-actions">
        {leave ? <Button onClick={leave}>All projects</Button> : null}
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      </div>
    </div>
  );
}

/** The page itself could not go on. */
export function PageFailedScreen({ message }: { message: string }) {
  return (
    <Card icon={<CircleAlert size={18} color="var(--bad)" />} title="The page could not start">
      <p className="screen-reason">{message}</p>
      <p>
        It may be of another version than its server: reload it. If that does not help, start the server
        again.
      </p>
      <div className="screen-actions">
        <Button onClick={reconnect}>Try again</Button>
        <Button variant="primary" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </div>
    </Card>
  );
}

/** No token: nothing here can make one, so it says where one comes from. */
export function SignedOutScreen({ message, again = false }: { message: string; again?: boolean }) {
  if (again) return <NotSignedInScreen message={message} />;
  return (
    <Card icon={<KeyRound size={18} />} title="Open the address that Penstock printed">
      {message ? (
        <p className="screen-reason">
          <Prose text={message} />
        </p>
      ) : (
        <p>
          This page needs the one-time address from the terminal in which <code>npm start</code> runs.
        </p>
      )}
      <p>Each address signs in one browser, once. For a fresh one, run in the repository:</p>
      <pre>npx penstock open</pre>
      <p>In whichever tab you open it, this page then goes on where it was.</p>
    </Card>
  );
}

/** A fault of the server, which said nothing of the address. */
function NotSignedInScreen({ message }: { message: string }) {
  return (
    <Card icon={<CircleAlert size={18} color="var(--bad)" />} title="The server could not sign you in">
      <p className="screen-reason">
        <Prose text={message} />
      </p>
      <p>Your address is still good, as far as it was not used before: try it again.</p>
      <p>If that does not help, look at the terminal in which the server runs.</p>
      <div className="screen-actions">
        <Button variant="primary" onClick={reconnect}>
          Try again
        </Button>
      </div>
    </Card>
  );
}

export function ServerGoneScreen() {
  useEffect(() => {
    const timer = setInterval(reconnect, 2000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Card icon={<Unplug size={18} />} title="The Penstock server does not answer">
      <p>It may have been stopped. Start it again where it ran; this page comes back by itself.</p>
      <pre>npm start</pre>
    </Card>
  );
}

export function FailedScreen({ message, help }: { message: string; help: string }) {
  return (
    <Card icon={<CircleAlert size={18} color="var(--bad)" />} title="The project was not opened">
      <p className="screen-reason">{message}</p>
      {help ? <p>{help}</p> : null}
      <div className="screen-actions">
        <Button onClick={() => goTo(null)}>All projects</Button>
        <Button variant="primary" onClick={() => void follow()}>
          Try again
        </Button>
      </div>
    </Card>
  );
}

export interface DamagedProps {
  project: string;
  path: string;
  problems: readonly Problem[];
  message: string;
  revision: string;
  revisions: readonly RevisionInfo[];
}

const SHOWN_PROBLEMS = 5;

/** The file cannot be read: named, and earlier revisions are offered. */
export function DamagedScreen({ project, path, problems, message, revision, revisions }: DamagedProps) {
  const [busy, setBusy] = useState(false);
  const bringBack = async (earlier: string) => {
    setBusy(true);
    try {
      await restore(project, revision, earlier);
    } catch (error) {
      sayFailure("Not restored", error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card icon={<CircleAlert size={18} color="var(--bad)" />} title="topology.json cannot be read">
      {path ? <p className="screen-path mono">{path}</p> : null}
      {problems.length === 0 ? <p className="screen-reason">{message}</p> : null}
      {problems.slice(0, SHOWN_PROBLEMS).map((problem, index) => (
        <div key={index} className="screen-problem">
          <p className="screen-reason">{problem.message}</p>
          <p>
            <span className="mono">{placeOf(problem)}</span>
            {problem.help ? <Prose text={` · ${problem.help}`} /> : null}
          </p>
        </div>
      ))}
      <p>
        {problems.length > SHOWN_PROBLEMS ? `And ${problems.length - SHOWN_PROBLEMS} more. ` : ""}
        Correct the file in an editor and try again
        {revisions.length > 0 ? ", or go back to an earlier revision, newest first:" : "."}
      </p>
      <ul className="screen-list">
        {revisions.map((one) => (
          <li key={one.revision}>
            <span>{new Date(one.savedAtMs).toLocaleString()}</span>
            <Button size="sm" disabled={busy} onClick={() => void bringBack(one.revision)}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
      <div className="screen-actions">
        <Button onClick={() => goTo(null)}>All projects</Button>
        <Button variant="primary" onClick={() => void follow()}>
          Try again
        </Button>
      </div>
    </Card>
  );
}

/** As editors and compilers write a place, with what one can look up. */
const placeOf = ({ code, line, column, pointer }: Problem): string =>
  `${line === undefined ? pointer || "topology.json" : `topology.json:${line}${column === undefined ? "" : `:${column}`}`} · ${code}`;
