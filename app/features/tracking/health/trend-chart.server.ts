import { scaleLinear, scaleUtc } from 'd3-scale';
import { curveMonotoneX, line } from 'd3-shape';

/** A line to draw: everything in units of the drawing. */
export interface TrendDrawing {
  width: number;
  height: number;
  path: string;
  dots: { x: number; y: number }[];
  /** Lines across, with what they stand for. */
  levels: { y: number; label: string }[];
  /** Days along the bottom. */
  days: { x: number; label: string }[];
  last: { x: number; y: number; label: string };
}

/** A point of a line. */
export interface TrendPoint {
  at: Date;
  value: number;
}

const SIZE = { width: 560, height: 260 };
const EDGE = { left: 48, right: 104, top: 14, bottom: 28 };

const dayLabel = (at: Date, long: boolean) =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(long ? { year: '2-digit' as const } : {}),
    timeZone: 'UTC',
  }).format(at);

/**
 * Lays out a line of measurements. What fits on a screen is a few hundred points; each is marked while they are few.
 * @param points at least one, oldest first
 * @param label the last value with its unit
 */
export function drawTrend(points: readonly TrendPoint[], label: string): TrendDrawing {
  const { width, height } = SIZE;
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const slack = high > low ? 0 : Math.max(1, Math.abs(high) * 0.05);
  const y = scaleLinear([low - slack, high + slack], [height - EDGE.bottom, EDGE.top]).nice(4);
  const first = points[0]?.at ?? new Date(0);
  const last = points.at(-1)?.at ?? first;
  const span = last.getTime() - first.getTime();
  const x = scaleUtc(
    [first, span > 0 ? last : new Date(first.getTime() + 86_400_000)],
    [EDGE.left, width - EDGE.right],
  );
  const placed = points.map(({ at, value }) => ({ x: round(x(at)), y: round(y(value)) }));
  const isLong = span > 300 * 86_400_000;
  const end = placed.at(-1) ?? { x: 0, y: 0 };
  const path = line<{ x: number; y: number }>(
    (point) => point.x,
    (point) => point.y,
  ).curve(curveMonotoneX);
  return {
    ...SIZE,
    path: path(placed) ?? '',
    dots: placed.length <= 60 ? placed : [end],
    levels: y.ticks(4).map((value) => ({ y: round(y(value)), label: y.tickFormat(4)(value) })),
    days: x.ticks(4).map((at) => ({ x: round(x(at)), label: dayLabel(at, isLong) })),
    last: { ...end, label },
  };
}

const round = (value: number) => Math.round(value * 10) / 10;
