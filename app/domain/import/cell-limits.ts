/** The columns of a kind of record: whether each holds text that somebody wrote. */
export type KnownCells = ReadonlyMap<string, boolean>;

/** Most characters of a cell: texts are at most a fifth of that, the longest of the others is a day's 24 times. */
const MOST = { text: 10_000, other: 300 } as const;

/** Why a cell is not even looked at; null when it is. What waits to be brought in stays within bounds so. */
export function cellProblem(cell: string, isText: boolean): string | null {
  const most = isText ? MOST.text : MOST.other;
  return cell.length > most ? `This can have at most ${most} characters` : null;
}
