import type { LevelPoint } from './level-curve.ts';

/**
 * Fewer points that draw the same line: of each of `columns` equal stretches of time the first, the lowest, the highest
 * and the last. Peaks and troughs stay, however short they are.
 */
export function thinOut(
  points: Iterable<LevelPoint>,
  from: number,
  to: number,
  columns: number,
): LevelPoint[] {
  const kept: LevelPoint[] = [];
  let column = -1;
  let stretch: LevelPoint[] = [];
  const flush = () => {
    const first = kept.length;
    for (const point of stretch) {
      if (kept.includes(point, first)) continue;
      let place = kept.length;
      while (place > first && (kept[place - 1]?.at ?? 0) > point.at) place -= 1;
      kept.splice(place, 0, point);
    }
  };
  for (const point of points) {
    const place = Math.min(columns - 1, Math.floor(((point.at - from) / (to - from)) * columns));
    if (place !== column) {
      flush();
      column = place;
      stretch = [point, point, point, point];
      continue;
    }
    const [, low, high] = stretch as [LevelPoint, LevelPoint, LevelPoint, LevelPoint];
    if (point.level < low.level) stretch[1] = point;
    if (point.level > high.level) stretch[2] = point;
    stretch[3] = point;
  }
  flush();
  return kept;
}
