/** Stages that run on one thread hang together: a broad band of their colour behind the line. */
export function FusedBand({ path, color }: { path: string; color: string | undefined }) {
  return color ? <path d={path} className="edge-fused" style={{ stroke: color }} /> : null;
}
