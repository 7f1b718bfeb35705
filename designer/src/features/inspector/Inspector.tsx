import { isOwnPool } from "@penstock/codegen/arrange";
import { DEFAULT_POOL, parseNodeRef, type Binary } from "@penstock/codegen/topology";
import { documentStore, useDocument } from "../../kernel/document/index.js";
import { parseEdgeId } from "../../kernel/document/edgeIds.js";
import { anyAlive, useProject } from "../../kernel/server/projectStore.js";
import { BinaryInspector } from "./kinds/BinaryInspector.js";
import { BundleInspector } from "./kinds/BundleInspector.js";
import { EdgeInspector } from "./kinds/EdgeInspector.js";
import { EnumInspector } from "./kinds/EnumInspector.js";
import { FlowInspector } from "./kinds/FlowInspector.js";
import "./inspector.css";
import { MessageInspector } from "./kinds/MessageInspector.js";
import { PoolInspector } from "./kinds/PoolInspector.js";
import { ProjectInspector } from "./kinds/ProjectInspector.js";
import { SelectionInspector } from "./kinds/SelectionInspector.js";
import { ServiceInspector } from "./kinds/ServiceInspector.js";

/** What sort of properties a selection shows. */
function sortOf([id, ...more]: readonly string[]): string {
  if (id === undefined) return "project";
  if (more.length > 0) return "several";
  if (parseEdgeId(id)) return "edge";
  const kind = parseNodeRef(id)?.kind ?? "project";
  return kind === "stage" ? "service" : kind;
}

/** Drawn, built in or of a join. */
const hasPool = ({ pools }: Binary, pool: string): boolean =>
  pool === DEFAULT_POOL || isOwnPool(pool) || pools.some(({ name }) => name === pool);

/** Properties of what is selected, docked right; of the project when nothing is. */
export function Inspector() {
  const selection = useDocument((state) => state.selection);
  const readOnly = useDocument((state) => state.readOnly);
  const running = useProject(anyAlive);
  return (
    // With every control off nothing in it takes the keys that scroll: it takes them itself.
    <div
      // Things of one sort are compared at the same place; one of another sort would begin in its middle.
      key={sortOf(selection)}
      className="inspector"
      data-testid="inspector"
      tabIndex={readOnly ? 0 : undefined}
    >
      {/* A fieldset turns every control in it off at once on a read-only project. */}
      <fieldset disabled={readOnly}>
        {selection.length > 1 ? <SelectionInspector /> : <One id={selection[0]} />}
      </fieldset>
      {running && selection.length === 1 ? (
        <p className="hint inspector-foot">What is not marked live needs a rebuild.</p>
      ) : null}
    </div>
  );
}

function One({ id }: { id: string | undefined }) {
  // Subscribed to the topology so that a rename or a removal elsewhere shows at once.
  useDocument((state) => state.topology);
  if (id === undefined) return <ProjectInspector />;
  if (parseEdgeId(id)) return <EdgeInspector key={id} id={id} />;
  const { topology } = documentStore.getState();
  const parsed = parseNodeRef(id);
  const [first = "", second = ""] = parsed?.path ?? [];
  switch (parsed?.kind) {
    case "service":
      return topology.services.some((item) => item.name === first) ? (
        <ServiceInspector key={id} name={first} />
      ) : (
        <Gone />
      );
    case "stage": {
      const stage = topology.flows
        .find((item) => item.name === first)
        ?.stages.find((item) => item.id === second);
      return stage ? (
        <ServiceInspector key={id} name={stage.service} flow={first} stage={second} />
      ) : (
        <Gone />
      );
    }
    case "flow":
      return topology.flows.some((item) => item.name === first) ? (
        <FlowInspector key={id} name={first} />
      ) : (
        <Gone />
      );
    case "bundle":
      return topology.bundles.some((item) => item.name === first) ? (
        <BundleInspector key={id} name={first} />
      ) : (
        <Gone />
      );
    case "binary":
      return topology.binaries.some((item) => item.name === first) ? (
        <BinaryInspector key={id} name={first} />
      ) : (
        <Gone />
      );
    case "pool":
      return topology.binaries.some((item) => item.name === first && hasPool(item, second)) ? (
        <PoolInspector key={id} binary={first} pool={second} />
      ) : (
        <Gone />
      );
    case "message":
      return topology.messages.some((item) => item.name === first) ? (
        <MessageInspector key={id} name={first} />
      ) : (
        <Gone />
      );
    case "enum":
      return topology.enums.some((item) => item.name === first) ? (
        <EnumInspector key={id} name={first} />
      ) : (
        <Gone />
      );
    default:
      return <ProjectInspector />;
  }
}

const Gone = () => <ProjectInspector />;
