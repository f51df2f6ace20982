import { area, line } from 'd3-shape';
import { Plot, type Tick } from './plot.tsx';
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

interface LineField {
  series: readonly Series[];
  from: number;
  to: number;
  /** How a value is written at the left edge. */
  word: (value: number) => string;
  /** The scale reaches at least so high. */
  least?: number;
  /** The scale begins near the values instead of at 0. */
  isClose?: boolean;
  /** Where now is, drawn as an upright line. */
  now?: number;
}

/** Lines that are drawn already: what a page needs of thousands of points. */
export interface LineDrawing {
  ticks: Tick[];
  /** The path of the upright line at now. */
  now: string | null;
  /** Path data by the look of the line; null for a line without points. */
  paths: { kind: Series['kind']; tone: Series['tone']; d: string | null }[];
}

const valuesOf = (series: Series): number[] =>
  series.kind === 'band'
    ? series.points.flatMap(([, low, high]) => [low, high])
    : series.points.map(([, y]) => y);

/** Draws lines over time, on a server too. */
export function drawLines({ series, from, to, word, least, isClose, now }: LineField): LineDrawing {
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
  return {
    ticks: ticksOf(y, word),
    now: now === undefined ? null : `M${x(now).toFixed(1)} 0V1000`,
    paths: series.map((one) => ({ kind: one.kind, tone: one.tone, d: shape(one) })),
  };
}

/** A drawing in its frame. */
export function DrawnLines({ drawing, labels }: { drawing: LineDrawing; labels: readonly string[] }) {
  const { ticks, now, paths } = drawing;
  return (
    <Plot ticks={ticks} labels={labels}>
      {now === null ? null : <path className="plot-now" d={now} />}
      {paths.map(({ kind, tone, d }, place) => (
        <path
          key={`${kind}-${tone}-${String(place)}`}
          className={`plot-${kind} plot-${tone}`}
          d={d ?? undefined}
        />
      ))}
    </Plot>
  );
}

/** Lines over time. */
export function LinePlot({ labels, ...field }: LineField & { labels: readonly string[] }) {
  return <DrawnLines drawing={drawLines(field)} labels={labels} />;
}
