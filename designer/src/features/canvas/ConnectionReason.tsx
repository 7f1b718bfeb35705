import { useConnection } from "@xyflow/react";
import { Ban } from "lucide-react";
import { createPortal } from "react-dom";
import { useEffect, useState } from "react";
import { documentStore } from "../../kernel/document/index.js";
import { pointerOrMiddle } from "../../drawing/screen/instance.js";
import { lineVerdict } from "./finishLine.js";

/** Says beside the pointer why the line being drawn may not end on the port it is over. */
export function ConnectionReason() {
  const line = useConnection((state) =>
    state.inProgress && state.toHandle && state.fromHandle
      ? {
          fromType: state.fromHandle.type,
          from: { node: state.fromNode.id, handle: state.fromHandle.id },
          to: { node: state.toHandle.nodeId, handle: state.toHandle.id },
        }
      : null,
  );
  if (!line) return null;
  const [source, target] = line.fromType === "source" ? [line.from, line.to] : [line.to, line.from];
  const verdict = lineVerdict(documentStore.getState().topology, source, target);
  return (
    <AtPointer ok={verdict.ok}>{verdict.ok ? (verdict.note ?? verdict.label) : verdict.reason}</AtPointer>
  );
}

function AtPointer({ ok, children }: { ok: boolean; children: string }) {
  const [at, setAt] = useState(pointerOrMiddle);
  useEffect(() => {
    const follow = (event: PointerEvent) => setAt({ x: event.clientX, y: event.clientY });
    window.addEventListener("pointermove", follow);
    return () => window.removeEventListener("pointermove", follow);
  }, []);
  return createPortal(
    <div className="connection-reason" data-ok={ok} role="status" style={{ left: at.x + 16, top: at.y + 14 }}>
      {ok ? null : <Ban size={13} strokeWidth={1.75} aria-hidden />}
      {children}
    </div>,
    document.body,
  );
}
