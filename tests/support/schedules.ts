import * as fc from 'fast-check';
import {
  clockDistance,
  moveKey,
  type MoveScope,
  type ScheduleMove,
  type PlannedPause,
  type ScheduleSwap,
} from '#app/domain/schedules/plan-changes.ts';
import { firstOccurrences, plannedKey } from '#app/domain/schedules/occurrences.ts';
import { WEEKDAYS, type Frequency, type ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { dayNumber, dayText } from '#app/domain/time/calendar.ts';

/** A basic rule for tests to vary: daily at 08:00 UTC. */
export function rule(more: Partial<ScheduleRule> = {}): ScheduleRule {
  return {
    frequency: { kind: 'daily' },
    times: ['08:00'],
    timeZone: 'UTC',
    startDate: '2026-01-01',
    endDate: null,
    doseAmount: '250',
    doseUnit: 'mcg',
    ramp: null,
    course: null,
    ...more,
  };
}

/**
 * A time of day (UTC) later today: yesterday's dose at this time has been overdue for less than a day, today's is
 * not due yet.
 */
export function laterToday(now = new Date()): string {
  if (now.getUTCHours() === 23) return '23:59';
  return new Date(now.getTime() + 3_600_000).toISOString().slice(11, 16);
}

const DAY_MS = 86_400_000;

export const ZONES = Intl.supportedValuesOf('timeZone');
/** Zones with unusual changes: half an hour, at midnight, negative in winter, a skipped day, none. */
export const ODD_ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Europe/Dublin',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Africa/Casablanca',
  'America/Nuuk',
  'Antarctica/Troll',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Asia/Kathmandu',
  'Asia/Gaza',
];

const day = (from: string, days: number) =>
  fc
    .integer({ min: 0, max: days })
    .map((after) => new Date(Date.parse(from) + after * DAY_MS).toISOString().slice(0, 10));

export const anyTime = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((minute) => new Date(minute * 60_000).toISOString().slice(11, 16));

export const anyMonthDay = fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant('last' as const));

const anyFrequency: fc.Arbitrary<Frequency> = fc.oneof(
  fc.constant({ kind: 'daily' } as const),
  fc.record({
    kind: fc.constant('weekdays' as const),
    weekdays: fc.subarray([...WEEKDAYS], { minLength: 1 }),
  }),
  fc.record({ kind: fc.constant('interval' as const), every: fc.integer({ min: 1, max: 30 }) }),
  fc.record({
    kind: fc.constant('cycle' as const),
    on: fc.integer({ min: 1, max: 10 }),
    off: fc.integer({ min: 1, max: 10 }),
  }),
  fc.record({ kind: fc.constant('monthly' as const), day: anyMonthDay }),
  fc.constant({ kind: 'once' } as const),
);

const anyCourse = fc.record({
  weeksOn: fc.integer({ min: 1, max: 12 }),
  weeksOff: fc.integer({ min: 1, max: 12 }),
});

/** Any valid rule within the ten years from 2016. */
export const anyRule: fc.Arbitrary<ScheduleRule> = fc
  .record({
    frequency: anyFrequency,
    times: fc.uniqueArray(anyTime, { minLength: 1, maxLength: 4 }).map((times) => times.sort()),
    timeZone: fc.oneof(fc.constantFrom(...ODD_ZONES), fc.constantFrom(...ZONES)),
    startDate: day('2016-01-01', 3650),
    length: fc.option(fc.integer({ min: 0, max: 400 })),
    course: fc.option(anyCourse),
    ramp: fc.option(
      fc.record({
        everyWeeks: fc.integer({ min: 1, max: 6 }),
        steps: fc.integer({ min: 1, max: 8 }),
        up: fc.boolean(),
      }),
    ),
  })
  .map(({ length, ramp, ...more }) =>
    rule({
      ...more,
      endDate:
        length === null
          ? null
          : new Date(Date.parse(more.startDate) + length * DAY_MS).toISOString().slice(0, 10),
      ramp:
        ramp === null
          ? null
          : {
              start: ramp.up ? '0.1' : '5',
              step: ramp.up ? '0.3' : '-0.3',
              everyWeeks: ramp.everyWeeks,
              target: ramp.up ? String((1 + 3 * ramp.steps) / 10) : String((50 - 3 * ramp.steps) / 10),
            },
    }),
  );

/** A move of one of the first doses, as the product makes it; none if there are no doses. */
export function moved(
  plan: ScheduleRule,
  { index, minutes, scope }: { index: number; minutes: number; scope: MoveScope },
): { move: ScheduleMove; plan: ScheduleRule } | null {
  const beforeStart = new Date(Date.parse(plan.startDate) - 2 * DAY_MS);
  const doses = firstOccurrences(plan, beforeStart, 20);
  const dose = doses[index % Math.max(1, doses.length)];
  if (dose === undefined) return null;
  const to = new Date(dose.dueDate.getTime() + minutes * 60_000);
  const far =
    scope === 'following' ? clockDistance(dose.dueDate, to, plan.timeZone) : { days: 0, minutes: 0 };
  const move: ScheduleMove = {
    id: `move${(plan.moves ?? []).length}`,
    key: moveKey(plannedKey(dose)),
    scope,
    from: dose.dueDate,
    to,
    ...far,
    doseAmount: null,
    madeAt: new Date('2026-01-01T00:00:00Z'),
    undoneAt: null,
  };
  return { move, plan: { ...plan, moves: [...(plan.moves ?? []), move] } };
}

export const anyMove = fc.record({
  index: fc.nat(19),
  minutes: fc.integer({ min: -20 * 24 * 60, max: 20 * 24 * 60 }).filter((minutes) => minutes !== 0),
  scope: fc.constantFrom<MoveScope>('this', 'following'),
});

/** A rule with up to four successive moves. */
export const anyMoved = fc
  .tuple(anyRule, fc.array(anyMove, { maxLength: 4 }))
  .map(([plan, moves]) => moves.reduce((now, move) => moved(now, move)?.plan ?? now, plan));

/** Up to three planned pauses, the first beginning up to 60 days after a day. */
export const anyPauses: fc.Arbitrary<(startDate: string) => PlannedPause[]> = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 60 }), length: fc.integer({ min: 1, max: 40 }) }), {
    maxLength: 3,
  })
  .map((spans) => (startDate) => {
    let at = dayNumber(startDate);
    return spans.map(({ gap, length }) => {
      const firstDay = dayText(at + gap);
      at += gap + length;
      return { firstDay, lastDay: dayText(at - 1) };
    });
  });

/** Up to four swaps of compound, vial or dose, the first taking effect up to 60 days after a day. */
export const anySwaps: fc.Arbitrary<(startDate: string) => ScheduleSwap[]> = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 60 }),
      name: fc.constantFrom('BPC-157', 'TB-500', 'GHK-Cu'),
      compoundId: fc.option(fc.constantFrom('vial_1', 'vial_2')),
      doseAmount: fc.option(fc.constantFrom('100', '333.3', '5')),
    }),
    { maxLength: 4 },
  )
  .map((swaps) => (startDate) => {
    let at = dayNumber(startDate) - 1;
    return swaps.map(({ gap, ...swap }, index) => {
      at += gap;
      return { ...swap, id: `swap${index}`, fromDay: dayText(at), madeAt: new Date('2026-01-01T00:00:00Z') };
    });
  });

/** A rule with moves, pauses and swaps, which may end with its vial up to 100 days after its start. */
export const anyPlan: fc.Arbitrary<ScheduleRule> = fc
  .tuple(anyMoved, anyPauses, anySwaps, fc.option(fc.integer({ min: 0, max: 100 * 24 * 60 })))
  .map(([plan, pauses, swaps, stop]) => ({
    ...plan,
    pauses: pauses(plan.startDate),
    swaps: swaps(plan.startDate),
    ...(stop !== null && {
      endsWithVial: true,
      stopsAt: new Date(Date.parse(plan.startDate) + stop * 60_000),
    }),
  }));
