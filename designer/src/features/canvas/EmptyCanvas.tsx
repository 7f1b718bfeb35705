import { documentStore, useDocument } from "../../kernel/document/index.js";
import { Button, KindIcon } from "../../kernel/ui/index.js";
import { standardSourceIcon } from "../../kernel/ui/icons/iconKind.js";
import { addServiceAt, addSourceAt } from "../../drawing/edits/add.js";
import { canvas, toCanvasPoint } from "../../drawing/screen/instance.js";

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
            Add a service: press <kbd className="kbd">S</kbd>, drag one from the palette or double-click here,
            and type its name
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
          <span>
            Draw a call: from its lower edge to another service, or to a free place where you type the name of
            a new one
          </span>
        </li>
        <li>
          <span>
            Start a flow: point at a service and press <kbd className="kbd">T</kbd>, a source of events asks
            it. Then press <kbd className="kbd">F5</kbd>
          </span>
          <Button
            size="sm"
            icon={<KindIcon kind={standardSourceIcon("rate")} />}
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
