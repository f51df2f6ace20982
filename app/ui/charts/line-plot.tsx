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

/**
 * Path data in whole steps from point to point. The field is 1,000 wide and high, so that a step is at most a pixel; of a
 * page of lines with thousands of points each, which is sent as picture and as data, half is saved by it.
 */
class ShortPath {
  #data = '';
  #from: Point = [0, 0];

  moveTo(x: number, y: number): void {
    this.#from = [Math.round(x), Math.round(y)];
    this.#data += `M${this.#from.join(' ')}`;
  }

  lineTo(x: number, y: number): void {
    const [fromX, fromY] = this.#from;
    this.#from = [Math.round(x), Math.round(y)];
    const [right, down] = [this.#from[0] - fromX, this.#from[1] - fromY];
    if (down === 0 && right !== 0) this.#data += `h${right}`;
    else if (down !== 0) this.#data += right === 0 ? `v${down}` : `l${right}${down < 0 ? '' : ' '}${down}`;
  }

  closePath(): void {
    this.#data += 'Z';
  }

  /** Null while nothing was drawn. */
  get data(): string | null {
    return this.#data || null;
  }
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
    // A dot is a line of no length: its round end keeps its shape however the field is stretched.
    if (one.kind === 'dots')
      return one.points.map(([at, value]) => `M${x(at).toFixed(1)} ${y(value).toFixed(1)}h0`).join('');
    const path = new ShortPath();
    // d3 draws on anything that has these three of a canvas's methods.
    const context = path as unknown as CanvasRenderingContext2D;
    if (one.kind === 'band')
      area<(typeof one.points)[number]>()
        .x(([at]) => x(at))
        .y0(([, low]) => y(low))
        .y1(([, , high]) => y(high))
        .context(context)([...one.points]);
    else
      line<Point>()
        .x(([at]) => x(at))
        .y(([, value]) => y(value))
        .context(context)([...one.points]);
    return path.data;
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
