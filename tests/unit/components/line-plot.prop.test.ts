import fc from 'fast-check';
import { expect, it } from 'vitest';
import { heightScale, widthScale, drawLines, type Point } from '#app/ui/charts/plots.tsx';

/** The points that a path's steps lead to. */
function placesOf(path: string): Point[] {
  const places: Point[] = [];
  for (const [, command = '', rest = ''] of path.matchAll(/([MlhvZ])([^MlhvZ]*)/g)) {
    const numbers = (rest.match(/-?\d+/g) ?? []).map(Number);
    const [x, y] = places.at(-1) ?? [0, 0];
    const [first = 0, second = 0] = numbers;
    if (command === 'M') places.push([first, second]);
    if (command === 'l') places.push([x + first, y + second]);
    if (command === 'h') places.push([x + first, y]);
    if (command === 'v') places.push([x, y + first]);
  }
  return places;
}

const points = fc
  .uniqueArray(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 })
  .chain((days) =>
    fc
      .array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: days.length, maxLength: days.length })
      .map((values) =>
        days.sort((a, b) => a - b).map((day, place): Point => [day * 86_400_000, values[place] ?? 0]),
      ),
  );

/** Without consecutive duplicates. */
const moved = (places: readonly Point[]) =>
  places.filter(([x, y], at) => at === 0 || x !== places[at - 1]?.[0] || y !== places[at - 1]?.[1]);

it('a line goes through each of its points, rounded to a thousandth of the field', () => {
  fc.assert(
    fc.property(points, (line) => {
      const [from, to] = [0, 400 * 86_400_000];
      const { paths } = drawLines({
        ...{ from, to, word: String },
        series: [{ kind: 'line', tone: 'pen', points: line }],
      });
      const [x, y] = [widthScale(from, to), heightScale(line.map(([, value]) => value))];
      const expected = line.map(([at, value]): Point => [Math.round(x(at)), Math.round(y(value))]);
      expect(placesOf(paths[0]?.d ?? '')).toEqual(moved(expected));
    }),
  );
});

it('a band is closed around both edges; a line without points draws nothing', () => {
  const { paths } = drawLines({
    ...{ from: 0, to: 10, word: String, least: 10 },
    series: [
      {
        kind: 'band',
        tone: 'pen',
        points: [
          [0, 0, 10],
          [5, 2, 8],
          [10, 0, 10],
        ],
      },
      { kind: 'line', tone: 'soft', points: [] },
    ],
  });
  expect(paths[0]?.d).toMatch(/^M.*Z$/);
  expect(placesOf(paths[0]?.d ?? '')).toHaveLength(6);
  expect(paths[1]?.d).toBeNull();
});
