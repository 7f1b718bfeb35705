import {
  DEFAULT_POOL,
  type Binary,
  OVERFLOW_POLICIES,
  isThreadRange,
  threadName,
} from "@penstock/codegen/topology";
import {
  addPool,
  binariesOf,
  changePool,
  freshPoolName,
  newPool,
  place,
} from "../../../kernel/document/edits/binaries.js";
import { stageRef } from "../../../kernel/document/edits/flows.js";
import { edit, reveal, useDocument } from "../../../kernel/document/index.js";
import { runsIn, runWords, type Spot } from "../../../drawing/queries/runsIn.js";
import { NEW_POOL, poolOptions } from "../../../kernel/fields/poolOptions.js";
import { poolColor, type SelectOption } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { ChoiceField, worded } from "../../../kernel/fields/Properties.js";
import { PinChips } from "../parts/PinChips.js";
import { PoolNow, ThreadCount } from "../parts/ThreadCount.js";

const OVERFLOWS = OVERFLOW_POLICIES.map((value) => ({ value, label: worded(value) }));

/** Where a service runs as a stage and where calls to it do, once for each binary that serves it. */
export function PlacementSections({ service }: { service: string }) {
  const topology = useDocument((state) => state.topology);
  const binaries = binariesOf(topology, service);
  if (binaries.length === 0) {
    return (
      <TaggedSection title="Threads">
        <p className="hint">No binary serves this service yet: put it into a bundle that a binary has.</p>
      </TaggedSection>
    );
  }
  return binaries.map((binary) => (
    <Placement key={binary.name} binary={binary} service={service} several={binaries.length > 1} />
  ));
}

function Placement({ binary, service, several }: { binary: Binary; service: string; several: boolean }) {
  const topology = useDocument((state) => state.topology);
  const runs = runsIn(topology, binary).filter((run) => run.service === service);
  const stages = runs.filter(({ stage }) => stage !== undefined);
  const placed = runs.some(({ by }) => by === "placement");
  const spots = new Map(runs.flatMap((run) => run.spots.map((spot) => [spot.pool, spot])));
  const title = several ? ` in ${binary.name}` : "";
  return (
    <>
      {stages.length > 0 ? (
        <TaggedSection title={`Runs${title}`}>
          {stages.map((run) => (
            <p key={runWords(run)} className="hint">
              {runWords(run)}
            </p>
          ))}
        </TaggedSection>
      ) : null}
      {/* One that no run is by is shown as long as it is drawn: it keeps the binary from having the pool default. */}
      {placed || binary.placement[service]?.pool !== undefined ? (
        <PlacementSection binary={binary} service={service} title={title} idle={!placed} />
      ) : null}
      {[...spots.values()].map((spot) => (
        <SpotSections
          key={spot.pool}
          binary={binary}
          spot={spot}
          title={`${spots.size > 1 ? ` of ${spot.pool}` : ""}${title}`}
        />
      ))}
    </>
  );
}

/** The threads that a service runs on: of a pool, or of a join before a stage. */
function SpotSections({ binary, spot, title }: { binary: Binary; spot: Spot; title: string }) {
  const { pool, ownOf } = spot;
  const drawn = binary.pools.find((item) => item.name === pool);
  if (ownOf)
    return (
      <TaggedSection title={`Threads${title}`} tag="live">
        <button type="button" className="item-link" onClick={() => reveal(stageRef(ownOf.flow, ownOf.stage))}>
          Set at the join before {ownOf.stage}
        </button>
        <PoolNow binary={binary.name} pool={pool} />
      </TaggedSection>
    );
  return (
    <>
      <TaggedSection title={`Threads${title}`} tag="live">
        <ThreadCount binary={binary.name} pool={pool} label="Threads" />
      </TaggedSection>
      {drawn ? (
        <TaggedSection title={`Pins${title}`} tag="live">
          <PinChips binary={binary.name} pool={drawn} color={poolColor(binary.pools.indexOf(drawn))} />
        </TaggedSection>
      ) : null}
    </>
  );
}

/** Where calls to a service run, and the first stage of a flow. */
function PlacementSection({
  binary,
  service,
  title,
  idle,
}: {
  binary: Binary;
  service: string;
  title: string;
  /** No run is by it: the service is neither called nor the first stage of a flow without a join. */
  idle: boolean;
}) {
  const placement = binary.placement[service];
  const pool = placement?.pool ?? DEFAULT_POOL;
  const drawn = binary.pools.find((item) => item.name === pool);
  const options: SelectOption[] = poolOptions(binary);
  const choose = (choice: string) => {
    if (choice === NEW_POOL) {
      const name = freshPoolName(binary);
      edit(`Add pool ${name}`, (model) =>
        place(addPool(model, binary.name, newPool(name, 1)), binary.name, service, {
          pool: name,
          thread: undefined,
        }),
      );
      reveal(`pool:${binary.name}/${name}`);
      return;
    }
    edit(`Place on ${choice}`, (model) =>
      place(model, binary.name, service, {
        pool: choice === DEFAULT_POOL ? undefined : choice,
        thread: undefined,
      }),
    );
  };
  return (
    <TaggedSection title={`Placement${title}`} tag="rebuild">
      <ChoiceField label="Pool" value={pool} options={options} onChange={choose} />
      {idle ? (
        <p className="hint">For calls, and nothing calls the service: its stages run by their joins.</p>
      ) : null}
      {drawn && !isThreadRange(drawn.threads) && drawn.threads.length > 1 ? (
        <ChoiceField
          label="Thread"
          value={placement?.thread === undefined ? "" : String(placement.thread)}
          options={[
            { value: "", label: "Any of the pool" },
            ...drawn.threads.map((_, index) => ({ value: String(index), label: threadName(pool, index) })),
          ]}
          onChange={(value) =>
            edit("Set thread", (model) =>
              place(model, binary.name, service, {
                pool,
                thread: value === "" ? undefined : Number(value),
              }),
            )
          }
        />
      ) : null}
      {drawn ? (
        <ChoiceField
          label="When full"
          value={drawn.overflow}
          options={OVERFLOWS}
          onChange={(overflow) =>
            edit("Set overflow", (model) =>
              changePool(model, binary.name, pool, (item) => ({ ...item, overflow })),
            )
          }
        />
      ) : null}
    </TaggedSection>
  );
}
