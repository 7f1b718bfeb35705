import { runCommand } from "../commands/registry.js";
import { documentStore, setView, useDocument } from "../document/index.js";
import { Button, KindIcon } from "../ui/index.js";
import { addServiceAt, addSourceAt } from "./actions/add.js";
import { canvas, toCanvasPoint } from "./instance.js";

const middle = () => {
  const box = document.querySelector(".react-flow")?.getBoundingClientRect();
  return box
    ? toCanvasPoint({ x: box.left + box.width / 2 - 90, y: box.top + box.height / 2 - 40 })
    : { x: 0, y: 0 };
};

const show = () => void canvas()?.fitView({ padding: 0.4, maxZoom: 1 });

/** What a new project says: the first three steps, each one click. */
export function EmptyCanvas() {
  const hasMessages = useDocument((state) => state.topology.messages.length > 0);
  const readOnly = useDocument((state) => state.readOnly);
  if (readOnly) return null;
  return (
    <div className="canvas-empty">
      <h2>Draw your first flow</h2>
      <ol>
        <li>
          <span>Describe the messages that travel through it</span>
          <Button
            size="sm"
            variant={hasMessages ? "secondary" : "primary"}
            onClick={() => (hasMessages ? setView("messages") : void runCommand("add.message"))}
          >
            {hasMessages ? "Messages" : "Add a message"}
          </Button>
        </li>
        <li>
          <span>
            Add services: drag them from the palette, double-click here, or press <kbd className="kbd">S</kbd>
          </span>
          <Button
            size="sm"
            variant={hasMessages ? "primary" : "secondary"}
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
          <span>Draw calls between them, or start a flow with a source</span>
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
