import type { Occurrence } from './schedule-types.ts';

/** An existing dose that stays: taken, skipped, missed, or due before now. */
export type KeptDose = Pick<Occurrence, 'localDay' | 'wallTime'>;

/**
 * Which doses have to be created beside those that stay. After a change of times no day gets more doses than the
 * schedule has times: someone who took the 08:00 dose and then moves it to 21:00 gets no second one today.
 * @param timesADay how many doses a day of the schedule has
 */
export function dosesToMake(
  wanted: readonly Occurrence[],
  kept: readonly KeptDose[],
  timesADay: number,
): Occurrence[] {
  const keptOn = new Map<string, Set<string>>();
  for (const { localDay, wallTime } of kept) {
    const times = keptOn.get(localDay) ?? new Set();
    keptOn.set(localDay, times.add(wallTime));
  }
  const open = wanted.filter(({ localDay, wallTime }) => !keptOn.get(localDay)?.has(wallTime));
  const left = new Map<string, number>();
  const roomOn = (day: string) => left.get(day) ?? timesADay - (keptOn.get(day)?.size ?? 0);
  const made = open.toReversed().filter(({ localDay }) => {
    const room = roomOn(localDay);
    left.set(localDay, room - 1);
    return room > 0;
  });
  return made.reverse();
}
