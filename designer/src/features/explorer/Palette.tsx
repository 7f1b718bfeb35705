import { addInMiddle, startPaletteDrag } from "../../drawing/edits/palette.js";
import { useDocument } from "../../kernel/document/index.js";
import { contributed } from "../../registry/feature.js";
import { KindIcon, Tooltip } from "../../kernel/ui/index.js";
import { usePalette } from "../../kernel/server/usePalette.js";
import { paletteOf } from "../../registry/palette.js";

/** What can be drawn: drag it out, click it, or press its key over the canvas. */
export function Palette({ query }: { query: string }) {
  const readOnly = useDocument((state) => state.readOnly);
  const words = query.trim().toLowerCase();
  const entries = paletteOf(usePalette().sources);
  const shown = words.startsWith("is:")
    ? entries
    : entries.filter((item) => item.label.toLowerCase().includes(words));
  return (
    <section className="left-section left-palette" aria-label="Palette">
      <header className="left-head">
        <h2 className="caps">Palette</h2>
      </header>
      {/* Where no entry takes the focus, the keyboard scrolls the whole. */}
      <div className="left-scroll" tabIndex={readOnly ? 0 : undefined}>
        <ul className="palette">
          {shown.map((item) => (
            <li key={item.label}>
              <Tooltip side="right" content={item.hint}>
                <button
                  type="button"
                  className="row"
                  draggable={!readOnly}
                  disabled={readOnly}
                  aria-keyshortcuts={item.key}
                  onDragStart={(event) => startPaletteDrag(event, item.add)}
                  onClick={() => addInMiddle(item.add)}
                >
                  <KindIcon kind={item.icon} />
                  <span className="row-label">{item.label}</span>
                  {item.key ? <span className="row-key mono">{item.key}</span> : null}
                </button>
              </Tooltip>
            </li>
          ))}
        </ul>
        {contributed("Palette").map((More, index) => (
          <More key={index} query={query} />
        ))}
      </div>
    </section>
  );
}
