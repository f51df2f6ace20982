/** Whether the suites run at full size (`npm test -- --size full`). */
export const isFullSize = process.env['SIZE'] === 'full';

/** The size of a test in `npm test`, and in `npm test -- --size full`. */
export const sized = <T>(usual: T, full: T): T => (isFullSize ? full : usual);

/**
 * Of all combinations of `rows` and `columns` those that cover each row and each column: every row with the first
 * `always` columns and one other, a different one from row to row. At full size all combinations.
 */
export function combinations<R, C>(
  rows: readonly R[],
  columns: readonly C[],
  { always = 1 }: { always?: number } = {},
): [R, C][] {
  const [fixed, turning] = [columns.slice(0, always), columns.slice(always)];
  return rows.flatMap((row, index) => {
    const inTurn = turning[index % Math.max(turning.length, 1)];
    const chosen = isFullSize || inTurn === undefined ? columns : [...fixed, inTurn];
    return chosen.map((column): [R, C] => [row, column]);
  });
}
