import { anyAlive, useProject } from "../server/projectStore.js";
import { Section, type BadgeTone } from "../ui/index.js";
import type { ReactNode } from "react";

export interface TaggedSectionProps {
  title: string;
  /** Whether a change here reaches the running binary at once or needs a build. */
  tag?: Extract<BadgeTone, "live" | "rebuild"> | undefined;
  action?: ReactNode;
  children: ReactNode;
}

/**
 * A section of properties, marked where a change of it is live: the inspector says once that the rest needs
 * a rebuild. While nothing runs there is nothing to tell apart.
 */
export function TaggedSection({ tag, ...rest }: TaggedSectionProps) {
  const running = useProject(anyAlive);
  return <Section {...rest} tag={running && tag === "live" ? tag : undefined} />;
}
