import type { NodeInfo } from "@penstock/codegen/contract";
import { addInMiddle, startPaletteDrag } from "../../drawing/edits/palette.js";
import { useDocument } from "../../kernel/document/index.js";
import { Badge, Tooltip } from "../../kernel/ui/index.js";
import { CATEGORIES } from "../../kernel/ui/icons/categories.js";
import { NodeIcon } from "../../kernel/ui/icons/NodeIcon.js";
import { usePalette } from "../../kernel/server/usePalette.js";

/** Nodes whose C++ is generated, by category: drag one out, click it, or press Enter on it. */
export function NodePalette({ query }: { query: string }) {
  const { nodes } = usePalette();
  const words = query.trim().toLowerCase();
  const shown = words.startsWith("is:") ? nodes : nodes.filter((node) => answers(node, words));
  return CATEGORIES.map(({ category, title, color }) => {
    const inside = shown.filter((node) => node.category === category);
    if (inside.length === 0) return null;
    return (
      <section key={category} aria-label={`${title} nodes`}>
        <header className="left-subhead">{title}</header>
        <ul className="palette">
          {inside.map((node) => (
            <Entry key={node.type} node={node} color={color} />
          ))}
        </ul>
      </section>
    );
  });
}

const answers = (node: NodeInfo, words: string): boolean =>
  `${node.title} ${node.type} ${node.doc}`.toLowerCase().includes(words);

function Entry({ node, color }: { node: NodeInfo; color: string }) {
  const readOnly = useDocument((state) => state.readOnly);
  const add = { item: "node", type: node.type } as const;
  return (
    <li>
      <Tooltip side="right" content={node.doc}>
        <button
          type="button"
          className="row"
          draggable={!readOnly}
          disabled={readOnly}
          onDragStart={(event) => startPaletteDrag(event, add)}
          onClick={() => addInMiddle(add)}
        >
          <NodeIcon icon={node.icon} color={color} />
          <span className="row-label">{node.title}</span>
          {node.own ? <Badge tone="neutral">own</Badge> : null}
        </button>
      </Tooltip>
    </li>
  );
}
