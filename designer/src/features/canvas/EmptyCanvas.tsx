import { documentStore, useDocument } from "../../kernel/document/index.js";
import { Button, KindIcon } from "../../kernel/ui/index.js";
import { addServiceAt, addSourceAt } from "../../drawing/edits/add.js";
import { canvas, toCanvasPoint } from "../../drawing/instance.js";

const middle = () => {
  const box = document.querySelector(".react-flow")?.getBoundingClientRect();
  return box
    ? toCanvasPoint({ x: box.left + box.width / 2 - 90, y: box.top + box.height / 2 - 40 })
    : { x: 0, y: 0 };
};

const show = () => void canvas()?.fitView({ padding: 0.4, maxZoom: 1 });

/** What a new project says: the first three steps, each one click. */
export function EmptyCanvas() {
  const readOnly = useDocument((state) => state.readOnly);
  if (readOnly) return null;
  return (
    <div className="canvas-empty">
      <h2>Draw your first flow</h2>
      <ol>
        <li>
          <span>
            Add two services: press <kbd className="kbd">S</kbd>, drag them from the palette or double-click
            here, and type their names
          </span>
          <Button
            size="sm"
            icon={<KindIcon kind="simple" />}
            onClick={() => {
              addServiceAt("simple", middle());
              requestAnimationFrame(show);
            }}
          >
            Add a service
          </Button>
        </li>
        <li>
          <span>Draw a call: from the lower edge of one to the upper edge of the other</span>
        </li>
        <li>
          <span>
            Start a flow: a source asks the service that its line leads to. Then press{" "}
            <kbd className="kbd">F5</kbd>
          </span>
          <Button
            size="sm"
            icon={<KindIcon kind="rate" />}
            onClick={() => {
              addSourceAt("rate", middle());
              requestAnimationFrame(show);
            }}
          >
            Add a rate source
          </Button>
        </li>
      </ol>
      <p>{documentStore.getState().topology.doc}</p>
    </div>
  );
}
