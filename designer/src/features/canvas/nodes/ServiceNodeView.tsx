import { Handle, type NodeProps, Position } from "@xyflow/react";
import { Globe, Lock, LockOpen } from "lucide-react";
import { memo, useContext } from "react";
import { NodeIcon } from "../../../kernel/ui/icons/NodeIcon.js";
import { KindIcon } from "../../../kernel/ui/index.js";
import { FarContext } from "./farOut.js";
import { PORTS } from "../../../kernel/document/canvasRefs.js";
import { ErrorBadge } from "./ErrorBadge.js";
import { NodeName } from "./NodeName.js";
import { PlaceBadge } from "./PlaceBadge.js";
import { sameNode } from "./sameNode.js";
import { rowsHeight } from "../../../drawing/geometry/nodeSizes.js";
import type { Exposure } from "../../../drawing/queries/exposedRoutes.js";
import type { ServiceNode } from "../../../drawing/toCanvasNodes.js";

/** A service, or a stage with its service. The strip and the rows are empty: the overlay paints them. */
export const ServiceNodeView = memo(function ServiceNodeView({ id, data }: NodeProps<ServiceNode>) {
  return useContext(FarContext) ? null : <ServiceCard id={id} data={data} />;
}, sameNode);

const SIGNS = {
  here: { icon: Globe, said: "" },
  secured: { icon: Lock, said: ", secured" },
  open: { icon: LockOpen, said: ", open to other machines" },
} as const;

/** That it is asked over HTTP: by this machine, by others with a token and TLS, or by others as they are. */
function ExposedSign({ name, exposure: { reach, text } }: { name: string; exposure: Exposure }) {
  const { icon: Icon, said } = SIGNS[reach];
  return (
    <span
      className="node-exposed"
      role="img"
      aria-label={`${name} is exposed over HTTP${said}`}
      title={text}
      data-reach={reach}
    >
      <Icon size={11} strokeWidth={2} />
    </span>
  );
}

function ServiceCard({ id, data }: Pick<NodeProps<ServiceNode>, "id" | "data">) {
  const { chip } = data;
  return (
    <div className="node" data-mark={data.mark} data-unwritten={data.unwritten} data-missing={data.missing}>
      <div className="node-head">
        {data.standard ? (
          <NodeIcon icon={data.standard.icon} color={data.standard.color} tile />
        ) : (
          <KindIcon kind={data.icon} tile />
        )}
        <NodeName
          node={id}
          nodeRef={`service:${data.name}`}
          name={data.name}
          rule="service"
          className="node-name"
        />
        {data.mark === "error" ? <ErrorBadge /> : null}
        {chip && data.mark !== "error" ? <PlaceBadge chip={chip} /> : null}
        <span className="node-types">
          {data.exposure === undefined ? null : <ExposedSign name={data.name} exposure={data.exposure} />}
          {data.request}
          {data.response ? <> → {data.response}</> : null}
        </span>
      </div>
      {data.rows > 0 ? (
        <ul className="node-rows" style={{ height: rowsHeight(data.rows) }}>
          {data.implementations.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      ) : null}
      <div className="node-strip">
        {data.unwritten ? <span className="node-hint">handler not written</span> : null}
        {data.standard?.summary ? (
          <span className="node-hint node-summary mono" title={data.standard.summary}>
            {data.standard.summary}
          </span>
        ) : null}
      </div>
      <Handle
        id={PORTS.callIn}
        type="target"
        position={Position.Top}
        className={`port port-call ${data.called ? "port-used" : ""}`}
        role="img"
        aria-label={`${data.name}: calls in`}
      />
      <Handle
        id={PORTS.callOut}
        type="source"
        position={Position.Bottom}
        className={`port port-call ${data.calls ? "port-used" : ""}`}
        role="img"
        aria-label={`${data.name}: calls out`}
      />
      <Handle
        id={PORTS.flowIn}
        type="target"
        position={Position.Left}
        className={`port port-flow ${data.stage ? "" : "port-idle"}`}
        style={{ "--type": data.icon === "catch" ? "var(--bad)" : data.requestColor } as React.CSSProperties}
        role="img"
        aria-label={`${data.name}: flow in`}
      />
      {data.passesOn ? (
        <Handle
          id={PORTS.flowOut}
          type="source"
          position={Position.Right}
          className="port port-flow"
          style={{ "--type": data.responseColor } as React.CSSProperties}
          role="img"
          aria-label={`${data.name}: flow out`}
        />
      ) : null}
    </div>
  );
}
