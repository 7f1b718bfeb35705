import { Panel, useReactFlow } from "@xyflow/react";
import { Maximize, Minus, Plus, Workflow } from "lucide-react";
import { runCommand } from "../../registry/commands.js";
import { IconButton } from "../../kernel/ui/index.js";

const icon = { size: 14, strokeWidth: 1.75 };

/** Zoom buttons and the legend of the bars, bottom left. */
export function CanvasControls() {
  const flow = useReactFlow();
  return (
    <Panel position="bottom-left" className="canvas-controls">
      <div className="zoom-buttons" role="group" aria-label="Zoom">
        <IconButton
          label="Zoom in"
          side="top"
          icon={<Plus {...icon} />}
          onClick={() => void flow.zoomIn({ duration: 120 })}
        />
        <IconButton
          label="Zoom out"
          side="top"
          icon={<Minus {...icon} />}
          onClick={() => void flow.zoomOut({ duration: 120 })}
        />
        <IconButton
          label="Fit to view"
          side="top"
          icon={<Maximize {...icon} />}
          onClick={() => runCommand("view.fit")}
        />
        <IconButton
          label="Arrange automatically"
          side="top"
          icon={<Workflow {...icon} />}
          onClick={() => runCommand("arrange.auto")}
        />
      </div>
      <ul className="legend" aria-label="Legend">
        <li style={{ "--tone": "var(--ok)" } as React.CSSProperties}>busy</li>
        <li style={{ "--tone": "var(--warn)" } as React.CSSProperties}>waiting</li>
        <li style={{ "--tone": "var(--blocked)" } as React.CSSProperties}>blocked</li>
      </ul>
    </Panel>
  );
}
