import type { ReactNode } from 'react';

/** A mark at the left edge, from 0 (bottom) to 1 (top). */
export interface Tick {
  at: number;
  label: string;
}

interface PlotProps {
  ticks: readonly Tick[];
  /** Words under the plot, spread from its left to its right end. */
  labels: readonly string[];
  /** The drawing in a field of 1000 × 1000 that is stretched to fit; lines keep their width. */
  children: ReactNode;
}

/** Height of the field that drawings are made in, and its width. */
export const FIELD = 1000;

/**
 * The frame of a drawing: words around it are text of the page, so that they stay readable on a phone, and only lines
 * and areas are stretched. Its meaning is in the sentence and the table beside it.
 */
export function Plot({ ticks, labels, children }: PlotProps) {
  return (
    <div className="plot" aria-hidden="true">
      <div className="plot-ticks figure">
        {[...ticks]
          .sort((a, b) => b.at - a.at)
          .map(({ at, label }) => (
            <span key={at}>{label}</span>
          ))}
      </div>
      <svg className="plot-field" viewBox={`0 0 ${FIELD} ${FIELD}`} preserveAspectRatio="none">
        {ticks.map(({ at }) => (
          <path key={at} className="plot-grid" d={`M0 ${FIELD - at * FIELD}H${FIELD}`} />
        ))}
        {children}
      </svg>
      <div className="plot-labels figure">
        {labels.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
    </div>
  );
}
