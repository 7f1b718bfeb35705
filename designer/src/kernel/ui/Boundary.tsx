import { TriangleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { Button } from "./Button.js";
import { EmptyState } from "./Section.js";

export interface BoundaryProps {
  /** What is inside, for people: "The chart". */
  what: string;
  children: ReactNode;
}

/**
 * Keeps a fault in one part from taking the page along: unsaved work in the others stays. A part
 * that cannot be loaded is most often one of a page older than its server.
 */
export class Boundary extends Component<BoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const old = /dynamically imported module|Loading chunk|Importing a module|preload CSS/i.test(
      error.message,
    );
    return (
      <EmptyState
        icon={<TriangleAlert size={18} color="var(--bad)" />}
        title={`${this.props.what} cannot be shown`}
        actions={
          <>
            <Button onClick={() => this.setState({ error: null })}>Try again</Button>
            <Button onClick={() => location.reload()}>Reload the page</Button>
          </>
        }
      >
        {old ? "The designer was updated while this page was open." : error.message}
      </EmptyState>
    );
  }
}
