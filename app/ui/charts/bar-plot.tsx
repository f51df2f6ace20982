import { FIELD, Plot } from './plot.tsx';
import { heightScale, ticksOf } from './scales.ts';

/** One bar, made of parts from the bottom up. */
export interface Bar {
  key: string;
  parts: readonly { value: number; tone: 'pen' | 'soft' | 'danger' }[];
}

interface BarPlotProps {
  bars: readonly Bar[];
  /** How a value is written at the left edge. */
  word: (value: number) => string;
  labels: readonly string[];
  /** The scale reaches at least so high. */
  least?: number;
}

/** A few bars are still bars, not walls. */
const MAX_THICKNESS = 56;

/** Bars side by side in time. */
export function BarPlot({ bars, word, labels, least }: BarPlotProps) {
  const height = heightScale(
    bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)),
    least,
  );
  const width = FIELD / Math.max(1, bars.length);
  const thickness = Math.min(width * 0.6, MAX_THICKNESS);
  return (
    <Plot ticks={ticksOf(height, word)} labels={labels}>
      {bars.map(({ key, parts }, place) => {
        let below = 0;
        return parts.map(({ value, tone }) => {
          const bottom = height(below);
          below += value;
          const top = height(below);
          if (value === 0) return null;
          return (
            <rect
              key={`${key}-${tone}`}
              className={`plot-bar plot-${tone}`}
              x={place * width + (width - thickness) / 2}
              y={top}
              width={thickness}
              height={bottom - top}
            />
          );
        });
      })}
    </Plot>
  );
}
