import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chainStep,
  type ChainedDose,
  firstOccurrences,
  nextOccurrence,
  occurrenceOf,
  occurrences,
  plannedKey,
  previewDoses,
  runsOn,
} from '#app/domain/schedules/occurrences.ts';
import {
  PAUSE_MESSAGES,
  pausedDays,
  pauseOn,
  pausesText,
  readPauses,
  withoutPause,
  withPause,
  type PlannedPause,
} from '#app/domain/schedules/plan-changes.ts';
import { doseOfDay, type Occurrence, type ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { phasesOf } from '#app/domain/schedules/schedule-view.ts';
import { dayNumber, dayText } from '#app/domain/time/calendar.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { anyMoved, anyPauses, anyRule, ODD_ZONES, rule, ZONES } from '#tests/support/schedules.ts';
import { isFullSize } from '#tests/support/size.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const windowOf = (plan: ScheduleRule, days = 120) => {
  const from = new Date(Date.parse(plan.startDate) - 2 * DAY_MS);
  return { from, to: new Date(from.getTime() + days * DAY_MS) };
};
/** What a pause must not change: which dose it is, and when it is due. */
const timesOf = (doses: readonly Occurrence[]) =>
  doses.map((dose) => [plannedKey(dose), dose.dueDate.getTime()] as const);
const isPaused = ({ dueDate }: Pick<Occurrence, 'dueDate'>, { timeZone, pauses }: ScheduleRule) =>
  pauseOn(pauses, calendarDay(dueDate, timeZone)) !== null;

const anyRested = fc
  .tuple(anyMoved, anyPauses)
  .map(([plan, pauses]): ScheduleRule => ({ ...plan, pauses: pauses(plan.startDate) }));

describe('a schedule with planned pauses', () => {
  it('keeps exactly the doses that are due on other days, at their own times', () => {
    fc.assert(
      fc.property(anyRested, (plan) => {
        const all = occurrences({ ...plan, pauses: null }, windowOf(plan));
        const open = all.filter((dose) => !isPaused(dose, plan));
        const found = occurrences(plan, windowOf(plan));
        expect(timesOf(found)).toEqual(timesOf(open));
        for (const dose of all) {
          const place = occurrenceOf(plan, plannedKey(dose));
          expect(place?.dueDate ?? null).toEqual(isPaused(dose, plan) ? null : dose.dueDate);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has the same doses however the window is divided, including its preview and next dose', () => {
    fc.assert(
      fc.property(anyRested, fc.integer({ min: 1, max: 119 }), (plan, cut) => {
        const { from, to } = windowOf(plan);
        const at = new Date(from.getTime() + cut * DAY_MS);
        const found = occurrences(plan, { from, to });
        expect([...occurrences(plan, { from, to: at }), ...occurrences(plan, { from: at, to })]).toEqual(
          found,
        );
        expect(firstOccurrences(plan, from, found.length)).toEqual(found);
        expect(nextOccurrence(plan, at)?.dueDate).toEqual(
          found.find(({ dueDate }) => dueDate >= at)?.dueDate ?? nextOccurrence(plan, to)?.dueDate,
        );
      }),
      { numRuns: 40 },
    );
  });

  it('has all doses again after each pause is removed before it begins', () => {
    fc.assert(
      fc.property(anyRested, (plan) => {
        const today = '1990-01-01';
        const none = (plan.pauses ?? []).reduce<PlannedPause[]>(
          (left, pause) => withoutPause(left, pause, today) ?? expect.unreachable(),
          [...(plan.pauses ?? [])],
        );
        expect(none).toEqual([]);
        expect(occurrences({ ...plan, pauses: none }, windowOf(plan))).toEqual(
          occurrences({ ...plan, pauses: null }, windowOf(plan)),
        );
      }),
      { numRuns: 20 },
    );
  });

  it('counts only days with doses towards a ramp', () => {
    fc.assert(
      fc.property(anyRule, anyPauses, (plain, pauses) => {
        const ramp = { start: '1', step: '1', everyWeeks: 2, target: '30' };
        const plan: ScheduleRule = { ...plain, ramp, pauses: pauses(plain.startDate) };
        const start = dayNumber(plan.startDate);
        const isOn = (day: number) => {
          const week = Math.floor((day - start) / 7);
          const { course } = plan;
          return course === null || week % (course.weeksOn + course.weeksOff) < course.weeksOn;
        };
        let withDoses = 0;
        for (let day = start; day < start + 200; day += 1) {
          const text = dayText(day);
          expect(doseOfDay(plan, day, text)).toBe(String(Math.min(30, 1 + Math.floor(withDoses / 14))));
          if (isOn(day) && pauseOn(plan.pauses, text) === null) withDoses += 1;
        }
      }),
      { numRuns: 30 },
    );
  });

  it('shows a pause as a phase without doses', () => {
    const plan = rule({
      ramp: { start: '1', step: '1', everyWeeks: 2, target: '3' },
      pauses: [{ firstDay: '2026-01-10', lastDay: '2026-01-12' }],
    });
    expect(phasesOf(plan).map(({ firstDay, lastDay, dose }) => [firstDay, lastDay, dose])).toEqual([
      ['2026-01-01', '2026-01-09', '1'],
      ['2026-01-10', '2026-01-12', null],
      ['2026-01-13', '2026-01-17', '1'],
      ['2026-01-18', '2026-01-31', '2'],
      ['2026-02-01', null, '3'],
    ]);
  });

  it('does not offer as-needed doses during a pause', () => {
    const plan = rule({
      frequency: { kind: 'as-needed' },
      times: [],
      timeZone: 'Asia/Tokyo',
      pauses: [{ firstDay: '2026-05-03', lastDay: '2026-05-17' }],
    });
    expect(runsOn(plan, new Date('2026-05-02T14:59:59Z'))).toBe(true);
    expect(runsOn(plan, new Date('2026-05-02T15:00:00Z'))).toBe(false);
    expect(runsOn(plan, new Date('2026-05-17T14:59:59Z'))).toBe(false);
    expect(runsOn(plan, new Date('2026-05-17T15:00:00Z'))).toBe(true);
  });
});

describe('a schedule that counts from the last dose, with planned pauses', () => {
  const anyChain = fc
    .tuple(
      fc.integer({ min: 1, max: 500 }),
      fc.constantFrom(...ODD_ZONES),
      fc.integer({ min: 0, max: 47 }),
      anyPauses,
    )
    .map(([everyHours, timeZone, hour, pauses]) =>
      rule({
        frequency: { kind: 'after-last', everyHours },
        times: [],
        timeZone,
        firstDueAt: new Date(Date.parse('2026-01-01T00:00:00Z') + hour * HOUR_MS),
        pauses: pauses('2026-01-01'),
      }),
    );

  it('has no dose in a pause, the next on the first day after it, and each counted from the one before', () => {
    fc.assert(
      fc.property(anyChain, (plan) => {
        const everyMs = plan.frequency.kind === 'after-last' ? plan.frequency.everyHours * HOUR_MS : 0;
        const found = occurrences(plan, windowOf(plan));
        const dues = found.map(({ dueDate }) => dueDate.getTime());
        expect(found.filter((dose) => isPaused(dose, plan))).toEqual([]);
        dues.slice(1).forEach((due, index) => {
          const ruled = (dues[index] ?? 0) + everyMs;
          if (due === ruled) return;
          const pause = pauseOn(plan.pauses, calendarDay(new Date(ruled), plan.timeZone));
          expect(due).toBeGreaterThan(ruled);
          expect(pause).not.toBeNull();
          expect(calendarDay(new Date(due - 26 * HOUR_MS), plan.timeZone) <= (pause?.lastDay ?? '')).toBe(
            true,
          );
        });
      }),
      { numRuns: 60 },
    );
  });

  it('creates the doses of its preview if each is taken when due', () => {
    fc.assert(
      fc.property(anyChain, (plan) => {
        const everyHours = plan.frequency.kind === 'after-last' ? plan.frequency.everyHours : 0;
        let doses: ChainedDose[] = [];
        const made: number[] = [];
        for (let count = 0; count < 14; count += 1) {
          const step = chainStep(
            doses,
            {
              everyHours,
              firstDueAt: plan.firstDueAt ?? new Date(0),
              lastTakenBefore: null,
              resumedAt: null,
              pauses: plan.pauses ?? null,
              timeZone: plan.timeZone,
            },
            () => false,
          );
          if (step.kind !== 'make') throw new Error(`It wants to ${step.kind}`);
          const { dueDate } = step.due;
          made.push(dueDate.getTime());
          const chain = { after: step.after, everyHours };
          const taken = { id: String(count), status: 'taken' as const, dueDate, takenAt: dueDate, chain };
          doses = [taken, ...doses];
        }
        expect(made).toEqual(previewDoses(plan).map(({ dueDate }) => dueDate.getTime()));
      }),
      { numRuns: 40 },
    );
  });
});

describe('ten years of a daily schedule with pauses', () => {
  const zones = isFullSize ? ZONES : [...ODD_ZONES, ...ZONES.filter((_, index) => index % 60 === 11)];
  const [first, last] = ['2016-01-01', '2025-12-31'].map(dayNumber) as [number, number];
  // The lengths of the pauses grow, so that over the years they start and end near every clock change.
  const pauses = Array.from({ length: 60 }, (_, index) => {
    const begin = first + 20 + index * 60;
    return { firstDay: dayText(begin), lastDay: dayText(begin + (index % 30)) };
  });

  it.each(zones)('in %s have one dose on every day outside the pauses, in order', (timeZone) => {
    const plan = rule({
      timeZone,
      times: ['00:30'],
      startDate: dayText(first),
      endDate: dayText(last),
      pauses,
    });
    const found = occurrences(plan, windowOf(plan, 3700));
    const expected = Array.from({ length: last - first + 1 }, (_, index) => dayText(first + index)).filter(
      (day) => pauseOn(pauses, day) === null,
    );
    expect(found.map(({ localDay }) => localDay)).toEqual(expected);
    expect(found).toHaveLength(last - first + 1 - pausedDays(pauses, dayText(first), dayText(last)));
    const dues = found.map(({ dueDate }) => dueDate.getTime());
    expect(dues).toEqual([...new Set(dues)].sort((a, b) => a - b));
  });
});

describe('changing pauses', () => {
  const pause = (firstDay: string, lastDay: string) => ({ firstDay, lastDay });
  const may = pause('2026-05-03', '2026-05-17');
  const july = pause('2026-07-01', '2026-07-05');

  it('adds, changes and ends one, or explains what is wrong', () => {
    expect(withPause(null, july, null, '2026-05-01')).toEqual({ pauses: [july] });
    expect(withPause([july], may, null, '2026-05-01')).toEqual({ pauses: [may, july] });
    const longer = pause('2026-05-03', '2026-05-20');
    expect(withPause([may, july], longer, may, '2026-05-10')).toEqual({ pauses: [longer, july] });
    const problem = (change: ReturnType<typeof withPause>) => ('problem' in change ? change.problem : null);
    expect(problem(withPause([may], pause('2026-05-17', '2026-05-18'), null, '2026-05-01'))).toBe(
      PAUSE_MESSAGES.overlap,
    );
    expect(problem(withPause([may], pause('2026-05-05', '2026-05-18'), may, '2026-05-04'))).toBe(
      PAUSE_MESSAGES.begun,
    );
    expect(problem(withPause([may], pause('2026-05-03', '2026-05-08'), may, '2026-05-09'))).toBe(
      PAUSE_MESSAGES.lastPast,
    );
    expect(problem(withPause([may], may, may, '2026-05-18'))).toBe(PAUSE_MESSAGES.over);
    expect(problem(withPause([], may, null, '2026-05-04'))).toBe(PAUSE_MESSAGES.past);
    expect(withoutPause([may, july], july, '2026-05-18')).toEqual([may]);
    expect(withoutPause([may, july], may, '2026-05-03')).toEqual([july]);
    expect(withoutPause([may, july], may, '2026-05-09')).toEqual([pause('2026-05-03', '2026-05-08'), july]);
    expect(withoutPause([may], may, '2026-05-18')).toBeNull();
  });

  it('survives an export and import, which rejects anything else', () => {
    fc.assert(
      fc.property(anyPauses, (pauses) => {
        expect(readPauses(pausesText(pauses('2026-01-01')))).toEqual(pauses('2026-01-01'));
      }),
      { numRuns: 50 },
    );
    for (const text of [
      '2026-05-03',
      '2026-05-03/2026-05-02',
      '2026-02-30/2026-03-01',
      'a/b',
      `${'2026-05-03/2026-05-17 '.repeat(2)}`,
    ])
      expect(readPauses(text)).toBeNull();
  });
});
