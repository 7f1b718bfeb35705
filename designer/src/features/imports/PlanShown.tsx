import type { ImportPlan } from "@penstock/codegen/contract";
import { addsNothing } from "@penstock/codegen/imports";
import { Fragment } from "react";
import { Checkbox } from "../../kernel/ui/index.js";
import { ADDED, countsOf, placeOf } from "./planWords.js";
import { Fault } from "./Refused.js";

interface PlanShownProps {
  plan: ImportPlan;
  /** What has no counterpart is left out. */
  without: boolean;
  onWithout: (without: boolean) => void;
}

/** What an import adds, how it is called, what stands against it. In the words of the command line. */
export function PlanShown({ plan: { report, problems }, without, onWithout }: PlanShownProps) {
  const { kept, renamed, leftOut, notes } = report;
  return (
    <>
      <p className="import-sum" role="status">
        {addsNothing(report) ? "Nothing to add: all of it is drawn already." : `Adds ${countsOf(report)}.`}
      </p>
      {problems.map((problem, at) => (
        <Fault key={at} place={placeOf(problem)} {...problem} />
      ))}
      {leftOut.length > 0 ? (
        <section className="import-left" aria-label="Without a counterpart">
          <p>
            {leftOut.length === 1 ? "One thing has" : `${leftOut.length} things have`} no counterpart in a
            drawing:
          </p>
          <ul>
            {leftOut.map(({ name, reason, file, line }, at) => (
              <li key={at}>
                <span className="mono">{name}</span>: {reason}
                <span className="mono import-place">{placeOf({ file, line, pointer: "" })}</span>
              </li>
            ))}
          </ul>
          <Checkbox checked={without} label="Leave out, and import the rest" onChange={onWithout} />
        </section>
      ) : null}
      {addsNothing(report) ? null : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keys too
        <div className="import-plan" role="region" aria-label="What is added" tabIndex={0}>
          {ADDED.map(({ list, one }) =>
            report[list].map(({ from, to }) => (
              <div key={`${one} ${from}`} className="import-row">
                <span className="import-kind">{one}</span>
                <span className="mono">{to}</span>
                {from === to ? null : <From name={from} />}
              </div>
            )),
          )}
        </div>
      )}
      {kept.length > 0 ? (
        <p className="import-says import-kept">
          Drawn already, and used: {kept.map(({ to }) => to).join(", ")}.
        </p>
      ) : null}
      {renamed.length > 0 ? (
        <ul className="import-notes" aria-label="Renamed">
          {renamed.map(({ from, to }) => (
            <li key={from}>
              <span className="mono">{from}</span> is called <span className="mono">{to}</span>.
            </li>
          ))}
        </ul>
      ) : null}
      {notes.length > 0 ? (
        <ul className="import-notes" aria-label="Notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** A complete name, in lines where there is no room for one. */
function From({ name }: { name: string }) {
  return (
    <span className="mono import-from">
      {name.split(/(?<=\.|::)/).map((part, at) => (
        <Fragment key={at}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}
