import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { FIELD } from './plot.tsx';
import type { Tick } from './plot.tsx';

/** Round numbers around the values, upwards in the field: for what never comes near 0 and where its changes count. */
export function closeScale(values: readonly number[]): ScaleLinear<number, number> {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const slack = high > low ? 0 : Math.max(1, Math.abs(high) * 0.05);
  return scaleLinear([low - slack, high + slack], [FIELD, 0]).nice(2);
}

/** From 0 to a round number that holds every value, upwards in the field. */
export function heightScale(values: readonly number[], least = 0): ScaleLinear<number, number> {
  const most = Math.max(...values, least);
  const low = Math.min(...values, 0);
  return scaleLinear([low, most === low ? low + 1 : most], [FIELD, 0]).nice(2);
}

/** The ends of a scale and what is between them, evenly spread so that the words at the left edge stand beside them. */
export function ticksOf(scale: ScaleLinear<number, number>, word: (value: number) => string): Tick[] {
  const [low = 0, high = 1] = scale.domain();
  const ends = [0, 1].map((at) => ({ at, label: word(low + (high - low) * at) }));
  const middle = { at: 0.5, label: word((low + high) / 2) };
  // Whole numbers have no word of their own between 0 and 1.
  const isAnEnd = ends.some(({ label }) => label === middle.label);
  return isAnEnd ? ends : [...ends.slice(0, 1), middle, ...ends.slice(1)];
}

/** Places from the left to the right end of the field. */
export function widthScale(from: number, to: number): ScaleLinear<number, number> {
  return scaleLinear([from, to === from ? from + 1 : to], [0, FIELD]);
}
