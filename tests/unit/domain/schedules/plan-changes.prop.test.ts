import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chainStep,
  type ChainedDose,
  firstOccurrences,
  isOverBy,
  nextOccurrence,
  occurrenceOf,
  occurrences,
  plannedKey,
  previewDoses,
  runsOn,
} from '#app/domain/schedules/occurrences.ts';
import { hasEnded, readSwaps, swapsCell } from '#app/domain/schedules/plan-change-schema.ts';
import { moveKey, pauseOn, partOn, swapOn, withSwap } from '#app/domain/schedules/plan-changes.ts';
import type { Occurrence, ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { dayNumber, dayText } from '#app/domain/time/calendar.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { anyPauses, anyPlan, anySwaps, ODD_ZONES, rule, ZONES } from '#tests/support/schedules.ts';
import { isFullSize } from '#tests/support/size.ts';

/** Schedules with moves, pauses and swaps that end with their vial, all at once. */
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const runs = (few: number) => ({ numRuns: isFullSize ? few * 20 : few });

const windowOf = (plan: ScheduleRule, days = 120) => {
  const from = new Date(Date.parse(plan.startDate) - 25 * DAY_MS);
  return { from, to: new Date(from.getTime() + days * DAY_MS) };
};
const within = (plan: ScheduleRule) => occurrences(plan, windowOf(plan));
const timesOf = (doses: readonly Occurrence[]) =>
  doses.map((dose) => [moveKey(plannedKey(dose)), dose.dueDate.getTime()] as const);
const isBefore = (at: Date | null | undefined, { dueDate }: Occurrence) => !at || dueDate < at;

describe('a schedule with moves, pauses and swaps', () => {
  it('has each dose once, sorted, none in a pause or after its vial ended, however the window is divided', () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 1, max: 119 }), (plan, cut) => {
        const { from, to } = windowOf(plan);
        const found = occurrences(plan, { from, to });
        const dues = found.map(({ dueDate }) => dueDate.getTime());
        expect(dues).toEqual(dues.toSorted((a, b) => a - b));
        expect(new Set(timesOf(found).map(([key]) => key)).size).toBe(found.length);
        for (const dose of found) {
          expect(pauseOn(plan.pauses, calendarDay(dose.dueDate, plan.timeZone))).toBeNull();
          expect(isBefore(plan.stopsAt, dose)).toBe(true);
        }
        const at = new Date(from.getTime() + cut * DAY_MS);
        expect([...occurrences(plan, { from, to: at }), ...occurrences(plan, { from: at, to })]).toEqual(
          found,
        );
      }),
      runs(50),
    );
  });

  it('shows its first doses in the preview, and finds the next dose and each dose by its key', () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 0, max: 119 }), (plan, cut) => {
        const { from, to } = windowOf(plan);
        const found = occurrences(plan, { from, to });
        expect(firstOccurrences(plan, from, found.length)).toEqual(found);
        const begin = new Date(Date.parse(plan.startDate) - DAY_MS);
        const shown = previewDoses(plan).filter(({ dueDate }) => dueDate < to);
        expect(shown).toEqual(found.filter(({ dueDate }) => dueDate >= begin).slice(0, shown.length));
        const at = new Date(from.getTime() + cut * DAY_MS);
        const next = found.find(({ dueDate }) => dueDate >= at) ?? nextOccurrence(plan, to);
        expect(nextOccurrence(plan, at)).toEqual(next);
        for (const dose of within({ ...plan, stopsAt: null, pauses: null })) {
          const isOpen =
            isBefore(plan.stopsAt, dose) &&
            pauseOn(plan.pauses, calendarDay(dose.dueDate, plan.timeZone)) === null;
          expect(occurrenceOf(plan, plannedKey(dose))?.dueDate ?? null).toEqual(isOpen ? dose.dueDate : null);
        }
      }),
      runs(30),
    );
  });

  it('keeps its due times, with the dose of the latest swap on each day', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const found = within(plan);
        const plain = within({ ...plan, swaps: null });
        expect(timesOf(found)).toEqual(timesOf(plain));
        found.forEach(({ localDay, doseAmount }, index) => {
          const last = (plan.swaps ?? []).findLast(({ fromDay }) => fromDay <= localDay);
          expect(doseAmount).toBe(last?.doseAmount ?? plain[index]?.doseAmount);
          expect(swapOn(plan.swaps, localDay)).toEqual(last ?? null);
        });
      }),
      runs(50),
    );
  });

  it('is unchanged after a swap is undone, and after an export and import', () => {
    fc.assert(
      fc.property(anyPlan, anySwaps, fc.nat(60), (plan, more, after) => {
        const [swap] = more(dayText(dayNumber(plan.startDate) + after));
        if (swap === undefined || (plan.swaps ?? []).some(({ fromDay }) => fromDay === swap.fromDay)) return;
        const added = { ...swap, id: 'added' };
        const swaps = withSwap(plan.swaps, added);
        expect(swaps.map(({ fromDay }) => fromDay)).toEqual(swaps.map(({ fromDay }) => fromDay).toSorted());
        const undone = { ...plan, swaps: swaps.filter(({ id }) => id !== 'added') };
        expect(within(undone)).toEqual(within(plan));
        const part = { ...plan, name: 'BPC-157', compoundId: null, blend: null, swaps };
        expect(partOn(part, added.fromDay)).toMatchObject({ name: added.name, compoundId: added.compoundId });
        const exported = swaps.map(({ fromDay, name, compoundId, doseAmount }) => ({
          ...{ fromDay, name, compoundId, doseAmount },
        }));
        expect(readSwaps(swapsCell(swaps))).toEqual(exported);
      }),
      runs(40),
    );
  });

  it('neither loses nor duplicates doses when its vial is used up or it is paused, then continues', () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 0, max: 119 * 24 * 60 }), (plan, minute) => {
        const { from, to } = windowOf(plan);
        const going = { ...plan, stopsAt: null };
        const stopsAt = new Date(from.getTime() + minute * 60_000);
        const before = occurrences({ ...going, stopsAt }, { from, to });
        expect([...before, ...occurrences(going, { from: stopsAt, to })]).toEqual(within(going));
        expect(before.every((dose) => isBefore(stopsAt, dose))).toBe(true);
        expect(hasEnded({ ...going, stopsAt }, stopsAt)).toBe(true);
        expect(nextOccurrence({ ...going, stopsAt }, stopsAt)).toBeNull();
        const over = Math.floor(stopsAt.getTime() / DAY_MS) + 1;
        expect(isOverBy({ ...going, stopsAt }, over)).toBe(true);
      }),
      runs(40),
    );
  });
});

describe('a schedule that counts from the last dose and ends with its vial', () => {
  const anyChain = fc
    .tuple(
      fc.integer({ min: 1, max: 500 }),
      fc.constantFrom(...ODD_ZONES),
      anyPauses,
      anySwaps,
      fc.integer({ min: 0, max: 90 * 24 }),
    )
    .map(([everyHours, timeZone, pauses, swaps, stop]) =>
      rule({
        frequency: { kind: 'after-last', everyHours },
        ...{ times: [], timeZone, firstDueAt: new Date('2026-01-01T05:00:00Z') },
        ...{ pauses: pauses('2026-01-01'), swaps: swaps('2026-01-01') },
        stopsAt: new Date(Date.parse('2026-01-01T00:00:00Z') + stop * HOUR_MS),
      }),
    );

  it('creates the doses of its preview if each is taken when due, and none after the end', () => {
    fc.assert(
      fc.property(anyChain, (plan) => {
        const everyHours = plan.frequency.kind === 'after-last' ? plan.frequency.everyHours : 0;
        let doses: ChainedDose[] = [];
        const made: number[] = [];
        while (made.length < 14) {
          const step = chainStep(
            doses,
            {
              ...{ everyHours, lastTakenBefore: null, resumedAt: null, timeZone: plan.timeZone },
              firstDueAt: plan.firstDueAt ?? new Date(0),
              pauses: plan.pauses ?? null,
              stopsAt: plan.stopsAt ?? null,
            },
            () => false,
          );
          if (step.kind !== 'make') {
            expect(step.kind).toBe('none');
            break;
          }
          const { dueDate } = step.due;
          made.push(dueDate.getTime());
          const chain = { after: step.after, everyHours };
          const id = String(made.length);
          doses = [{ id, status: 'taken' as const, dueDate, takenAt: dueDate, chain }, ...doses];
        }
        const shown = previewDoses(plan);
        expect(made).toEqual(shown.map(({ dueDate }) => dueDate.getTime()));
        expect(shown.every((dose) => isBefore(plan.stopsAt, dose))).toBe(true);
        for (const { localDay, doseAmount } of shown)
          expect(doseAmount).toBe(swapOn(plan.swaps, localDay)?.doseAmount ?? '250');
      }),
      runs(40),
    );
  });

  it('is offered as needed only until the vial is used up', () => {
    const stopsAt = new Date('2026-02-01T10:00:00Z');
    const plan = rule({ frequency: { kind: 'as-needed' }, times: [], stopsAt });
    expect(runsOn(plan, new Date(stopsAt.getTime() - 1))).toBe(true);
    expect(runsOn(plan, stopsAt)).toBe(false);
    expect(previewDoses(plan)).toEqual([]);
  });
});

describe('ten years of a schedule with swaps and pauses that ends with its vial', () => {
  const zones = isFullSize ? ZONES : [...ODD_ZONES, ...ZONES.filter((_, index) => index % 60 === 23)];
  const [first, last] = ['2016-01-01', '2025-12-31'].map(dayNumber) as [number, number];
  const swaps = Array.from({ length: 40 }, (_, index) => ({
    ...{ id: `swap${index}`, name: `Compound ${index}`, compoundId: null, madeAt: new Date(0) },
    fromDay: dayText(first + 10 + index * 83),
    doseAmount: index % 3 === 2 ? null : String(100 + index),
  }));
  const pauses = Array.from({ length: 50 }, (_, index) => {
    const begin = first + 25 + index * 71;
    return { firstDay: dayText(begin), lastDay: dayText(begin + (index % 25)) };
  });
  const stopsAt = new Date('2024-06-15T12:00:00Z');

  it.each(zones)(
    'in %s have one dose on every third day outside the pauses, of the swap in force',
    (timeZone) => {
      const plan = rule({
        ...{ timeZone, times: ['00:30'], frequency: { kind: 'interval', every: 3 } },
        ...{ startDate: dayText(first), endDate: dayText(last), swaps, pauses, stopsAt },
      });
      const found = occurrences(plan, windowOf(plan, 3720));
      const stopDay = calendarDay(stopsAt, timeZone);
      const days = Array.from({ length: Math.floor((last - first) / 3) + 1 }, (_, index) =>
        dayText(first + 3 * index),
      );
      // 00:30 is before the end of the vial on that day, whenever the day starts.
      const isLast = (day: string) => day < stopDay || (day === stopDay && found.at(-1)?.localDay === day);
      const expected = days.filter((day) => isLast(day) && pauseOn(pauses, day) === null);
      expect(found.map(({ localDay }) => localDay)).toEqual(expected);
      expect(found.at(-1)?.dueDate.getTime()).toBeLessThan(stopsAt.getTime());
      const dues = found.map(({ dueDate }) => dueDate.getTime());
      expect(dues).toEqual([...new Set(dues)].sort((a, b) => a - b));
      for (const { localDay, doseAmount } of found)
        expect(doseAmount).toBe(swaps.findLast(({ fromDay }) => fromDay <= localDay)?.doseAmount ?? '250');
    },
  );
});
