import type { RefObject } from "react";
import type { ColorName } from "./look/themeColors.js";

/** Where a chart writes its figures, without React. */
export interface TitleRefs {
  /** Its children: one figure a curve. */
  figures: RefObject<HTMLSpanElement | null>;
  time: RefObject<HTMLSpanElement | null>;
}

interface TitledCurve {
  label: string;
  color: ColorName;
  dashed?: boolean;
}

/** What is charted, a coloured figure for each curve, and the moment; where that is too wide, on two lines. */
export function ChartTitle({
  title,
  curves,
  refs: { figures, time },
}: {
  title: string;
  curves: readonly TitledCurve[];
  refs: TitleRefs;
}) {
  return (
    <div className="chart-title">
      <span className="chart-name">{title}</span>
      <span className="chart-figures" ref={figures}>
        {curves.map(({ label, color, dashed }, index) => (
          <b
            key={index}
            data-dashed={dashed}
            style={{ color: label === "" ? "var(--text-1)" : `var(--${color})` }}
          />
        ))}
      </span>
      <span className="mono chart-time" ref={time} />
    </div>
  );
}
