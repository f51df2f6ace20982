import { area, line } from 'd3-shape';
import { Plot } from './plot.tsx';
import { closeScale, heightScale, ticksOf, widthScale } from './scales.ts';

export type Point = readonly [x: number, y: number];

/** A line through points, a dashed one for what is to come, single points, or the band between two lines. */
export type Series =
  | { kind: 'line' | 'dashed' | 'dots'; tone: 'pen' | 'soft' | 'danger'; points: readonly Point[] }
  | {
      kind: 'band';
      tone: 'pen' | 'soft';
      points: readonly (readonly [x: number, low: number, high: number])[];
    };

interface LinePlotProps {
  series: readonly Series[];
  from: number;
  to: number;
  /** How a value is written at the left edge. */
  word: (value: number) => string;
  labels: readonly string[];
  /** The scale reaches at least so high. */
  least?: number;
  /** The scale begins near the values instead of at 0. */
  isClose?: boolean;
  /** Where now is, drawn as an upright line. */
  now?: number;
}

const valuesOf = (series: Series): number[] =>
  series.kind === 'band'
    ? series.points.flatMap(([, low, high]) => [low, high])
    : series.points.map(([, y]) => y);

/** Lines over time. */
export function LinePlot({ series, from, to, word, labels, least, isClose, now }: LinePlotProps) {
  const x = widthScale(from, to);
  const values = series.flatMap(valuesOf);
  const y = isClose ? closeScale(values) : heightScale(values, least);
  const shape = (one: Series): string | null => {
    if (one.kind === 'band')
      return area<(typeof one.points)[number]>()
        .x(([at]) => x(at))
        .y0(([, low]) => y(low))
        .y1(([, , high]) => y(high))
        .digits(1)([...one.points]);
    // A dot is a line of no length: its round end keeps its shape however the field is stretched.
    if (one.kind === 'dots')
      return one.points.map(([at, value]) => `M${x(at).toFixed(1)} ${y(value).toFixed(1)}h0`).join('');
    return line<Point>()
      .x(([at]) => x(at))
      .y(([, value]) => y(value))
      .digits(1)([...one.points]);
  };
  return (
    <Plot ticks={ticksOf(y, word)} labels={labels}>
      {now === undefined ? null : <path className="plot-now" d={`M${x(now).toFixed(1)} 0V1000`} />}
      {series.map((one, place) => (
        <path
          key={`${one.kind}-${one.tone}-${String(place)}`}
          className={`plot-${one.kind} plot-${one.tone}`}
          d={shape(one) ?? undefined}
        />
      ))}
    </Plot>
  );
}
