import type { ReactNode } from 'react';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import type { HeatRow } from '#app/domain/analytics/day-figures.ts';

/** A mark at the left edge, from 0 (bottom) to 1 (top). */
interface Tick {
  at: number;
  label: string;
}

interface PlotProps {
  ticks: readonly Tick[];
  /** Text below the plot, spread from its left to its right end. */
  labels: readonly string[];
  /** The drawing, in a field of 1000 × 1000 units that is stretched to fit; lines keep their width. */
  children: ReactNode;
}

/** Height and width of the field in which drawings are made. */
const FIELD = 1000;

/**
 * The frame of a drawing. Its labels are text of the page, so that they stay readable on a phone; only lines and areas are
 * stretched. It is hidden from screen readers: the sentence and the table beside it carry the meaning.
 */
function Plot({ ticks, labels, children }: PlotProps) {
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

/** From a round number below the values to one above, for values that never come near 0 and whose changes matter. */
function closeScale(values: readonly number[]): ScaleLinear<number, number> {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const slack = high > low ? 0 : Math.max(1, Math.abs(high) * 0.05);
  return scaleLinear([low - slack, high + slack], [FIELD, 0]).nice(2);
}

/** From 0 to a round number above every value. */
export function heightScale(values: readonly number[], least = 0): ScaleLinear<number, number> {
  const most = Math.max(...values, least);
  const low = Math.min(...values, 0);
  return scaleLinear([low, most === low ? low + 1 : most], [FIELD, 0]).nice(2);
}

/** The ends of a scale and its middle, evenly spread so that the labels at the left edge line up with them. */
function ticksOf(scale: ScaleLinear<number, number>, word: (value: number) => string): Tick[] {
  const [low = 0, high = 1] = scale.domain();
  const ends = [0, 1].map((at) => ({ at, label: word(low + (high - low) * at) }));
  const middle = { at: 0.5, label: word((low + high) / 2) };
  // Formatted as whole numbers, there is no middle between 0 and 1.
  const isAnEnd = ends.some(({ label }) => label === middle.label);
  return isAnEnd ? ends : [...ends.slice(0, 1), middle, ...ends.slice(1)];
}

/** Maps values to the field, from its left to its right end. */
export function widthScale(from: number, to: number): ScaleLinear<number, number> {
  return scaleLinear([from, to === from ? from + 1 : to], [0, FIELD]);
}

/** One bar, made of parts from the bottom up. */
interface Bar {
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

/** Keeps a few bars from becoming wide blocks. */
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

export type Point = readonly [x: number, y: number];

/** A line through points, a dashed line for the future, single points, or the band between two lines. */
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
  /** The present, drawn as a vertical line. */
  now?: number;
}

/** Lines as finished paths, so that a page doesn't need thousands of points. */
export interface LineDrawing {
  ticks: Tick[];
  /** The path of the vertical line that marks the present. */
  now: string | null;
  /** Path data of each line; null for a line without points. */
  paths: { kind: Series['kind']; tone: Series['tone']; d: string | null }[];
}

/**
 * Path data in whole relative steps. The field is 1,000 units wide and high, so that rounding moves a point by at most a
 * pixel. This halves a page of lines with thousands of points, which is sent both as picture and as data.
 */
function shortPath(points: readonly Point[]): string {
  let data = '';
  let from: Point | null = null;
  for (const point of points) {
    const [x, y] = [Math.round(point[0]), Math.round(point[1])];
    const [right, down] = from === null ? [0, 0] : [x - from[0], y - from[1]];
    if (from === null) data += `M${x} ${y}`;
    else if (down === 0 && right !== 0) data += `h${right}`;
    else if (down !== 0) data += right === 0 ? `v${down}` : `l${right}${down < 0 ? '' : ' '}${down}`;
    from = [x, y];
  }
  // A line through one point is closed, so that its round ends show.
  return points.length === 1 ? `${data}Z` : data;
}

const valuesOf = (series: Series): number[] =>
  series.kind === 'band'
    ? series.points.flatMap(([, low, high]) => [low, high])
    : series.points.map(([, y]) => y);

/** Computes the paths of lines over time; also runs on the server. */
export function drawLines({ series, from, to, word, least, isClose, now }: LineField): LineDrawing {
  const x = widthScale(from, to);
  const values = series.flatMap(valuesOf);
  const y = isClose ? closeScale(values) : heightScale(values, least);
  const shape = (one: Series): string | null => {
    // A dot is a line of length 0: its round ends keep their shape however the field is stretched.
    if (one.kind === 'dots')
      return one.points.map(([at, value]) => `M${x(at).toFixed(1)} ${y(value).toFixed(1)}h0`).join('');
    if (one.points.length === 0) return null;
    if (one.kind !== 'band') return shortPath(one.points.map(([at, value]) => [x(at), y(value)]));
    const above = one.points.map(([at, , high]): Point => [x(at), y(high)]);
    const below = one.points.map(([at, low]): Point => [x(at), y(low)]);
    return `${shortPath([...above, ...below.toReversed()])}Z`;
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

interface HeatMapProps {
  rows: readonly HeatRow[];
}

const CELL = 12;
const GAP = 2;

/** With more weeks, square cells would be lower than the weekday labels, so they are drawn higher than wide. */
const MOST_SQUARE_WEEKS = 26;

/** Doses per day, one column per week; darker means more. The figures are in the table beside it. */
export function HeatMap({ rows }: HeatMapProps) {
  const weeks = rows[0]?.days.length ?? 0;
  return (
    <div className="heat-map" aria-hidden="true">
      <div className="heat-days figure">
        {rows.map(({ weekday }) => (
          <span key={weekday}>{weekday}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${weeks * CELL} ${7 * CELL}`}
        preserveAspectRatio={weeks > MOST_SQUARE_WEEKS ? 'none' : 'xMinYMin meet'}
      >
        {rows.flatMap(({ days }, row) =>
          days.map((day, week) =>
            day === null ? null : (
              <rect
                key={day.day}
                className={`heat-${day.step}`}
                x={week * CELL}
                y={row * CELL}
                width={CELL - GAP}
                height={CELL - GAP}
              />
            ),
          ),
        )}
      </svg>
    </div>
  );
}

/** A labelled share of a whole. */
interface Share {
  key: string;
  label: string;
  /** From 0 to 1; null if unknown. */
  share: number | null;
  /** "91.7% (11 of 12)" */
  text: string;
}

/** Shares as bars beside their names, with the number as text. */
export function ShareBars({ shares }: { shares: readonly Share[] }) {
  return (
    <dl className="share-bars">
      {shares.map(({ key, label, share, text }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect className="plot-rest" width="100" height="10" />
              {share === null ? null : <rect className="plot-bar plot-pen" width={share * 100} height="10" />}
            </svg>
            <span className="figure text-sm">{text}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
