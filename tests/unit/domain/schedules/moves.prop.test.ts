import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clockDistance,
  moveKey,
  movesAfterChange,
  movesText,
  readMoves,
  type ScheduleMove,
} from '#app/domain/schedules/plan-changes.ts';
import {
  firstOccurrences,
  occurrenceOf,
  occurrences,
  plannedKey,
} from '#app/domain/schedules/occurrences.ts';
import type { Occurrence, ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { localDateTime } from '#app/domain/time/zoned-time.ts';
import { anyMove, anyMoved, anyRule, moved, rule } from '#tests/support/schedules.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-01-01T00:00:00Z');

const keyOf = (dose: Occurrence) => moveKey(plannedKey(dose));
const from = (plan: ScheduleRule) => new Date(Date.parse(plan.startDate) - 2 * DAY_MS);
const within = (plan: ScheduleRule, days: number) =>
  occurrences(plan, { from: from(plan), to: new Date(from(plan).getTime() + days * DAY_MS) });

describe('a schedule with moved doses', () => {
  it('has each dose once, sorted, with its amount, however the window is divided', () => {
    fc.assert(
      fc.property(anyMoved, fc.integer({ min: 1, max: 79 }), (plan, cut) => {
        const found = within(plan, 80);
        const dues = found.map(({ dueDate }) => dueDate.getTime());
        expect(dues).toEqual(dues.toSorted((a, b) => a - b));
        expect(new Set(found.map(keyOf)).size).toBe(found.length);
        const at = new Date(from(plan).getTime() + cut * DAY_MS);
        const end = new Date(from(plan).getTime() + 80 * DAY_MS);
        const pieces = [
          ...occurrences(plan, { from: from(plan), to: at }),
          ...occurrences(plan, { from: at, to: end }),
        ];
        expect(pieces).toEqual(found);
        const amounts = new Map(
          occurrences({ ...plan, moves: null }, { from: new Date(0), to: new Date(8e12) }).map((dose) => [
            keyOf(dose),
            dose.doseAmount,
          ]),
        );
        for (const dose of found) expect(dose.doseAmount).toBe(amounts.get(keyOf(dose)));
      }),
      { numRuns: 60 },
    );
  });

  it('neither loses nor adds doses', () => {
    fc.assert(
      fc.property(anyMoved, (plan) => {
        const short = {
          ...plan,
          endDate: new Date(from(plan).getTime() + 40 * DAY_MS).toISOString().slice(0, 10),
        };
        const all = {
          from: new Date(Date.parse(plan.startDate) - 400 * DAY_MS),
          to: new Date(Date.parse(plan.startDate) + 400 * DAY_MS),
        };
        const planned = occurrences({ ...short, moves: null }, all)
          .map(keyOf)
          .sort();
        const single = new Set(planned);
        expect(
          occurrences(short, all)
            .map(keyOf)
            .filter((key) => single.has(key))
            .sort(),
        ).toEqual(planned);
      }),
    );
  });

  it('is unchanged after a move and its undo', () => {
    fc.assert(
      fc.property(anyMoved, anyMove, (plan, expected) => {
        const change = moved(plan, expected);
        if (change === null) return;
        const undone = { ...plan, moves: [...(plan.moves ?? []), { ...change.move, undoneAt: NOW }] };
        expect(within(undone, 80)).toEqual(within(plan, 80));
      }),
    );
  });

  it('finds each dose by its original day and time', () => {
    fc.assert(
      fc.property(anyMoved, (plan) => {
        for (const dose of within(plan, 40)) expect(occurrenceOf(plan, plannedKey(dose))).toEqual(dose);
      }),
    );
  });

  it('moves single doses on their own, and following doses by the same local time', () => {
    fc.assert(
      fc.property(anyRule, anyMove, (plan, expected) => {
        const change = moved(plan, expected);
        if (change === null) return;
        const { move } = change;
        for (const dose of within(plan, 60)) {
          const place = occurrenceOf(change.plan, plannedKey(dose));
          if (move.scope === 'this' || keyOf(dose) < move.key) {
            expect(place?.dueDate).toEqual(keyOf(dose) === move.key ? move.to : dose.dueDate);
            continue;
          }
          if (place === null) continue;
          const far = clockDistance(
            new Date(`${dose.localDay}T${dose.wallTime}:00Z`),
            new Date(`${place.localDay}T${place.wallTime}:00Z`),
            'UTC',
          );
          const walls = (distance: { days: number; minutes: number }) =>
            distance.days * 1440 + distance.minutes;
          expect(walls(far)).toBe(walls(move));
        }
      }),
    );
  });
});

it('moves read from an export are the same as written, and anything else is rejected', () => {
  fc.assert(
    fc.property(anyMoved, (plan) => {
      const moves = plan.moves ?? [];
      expect(readMoves(movesText(moves))).toEqual(
        moves.map(({ key, scope, days, minutes, to }) => ({
          key,
          scope,
          days,
          minutes,
          to: scope === 'this' ? to : null,
        })),
      );
    }),
  );
  for (const text of [
    'x',
    '2026-03-10T08:00>',
    '2026-03-10T08:00>>400d0m',
    '2026-03-10T08:00>2026-99-99T00:00:00Z',
  ])
    expect(readMoves(text)).toBeNull();
});

describe('moves of doses', () => {
  const daily = rule({ timeZone: 'Europe/Berlin', startDate: '2026-03-27' });
  const allOneHourLater = moved(daily, { index: 1, minutes: 60, scope: 'following' });

  it('keep the time of day of following doses across a clock change', () => {
    const found = within(allOneHourLater?.plan ?? daily, 6).map(({ dueDate }) =>
      localDateTime(dueDate, 'Europe/Berlin'),
    );
    expect(found).toEqual(['2026-03-27 08:00', '2026-03-28 09:00', '2026-03-29 09:00', '2026-03-30 09:00']);
  });

  it('of a single dose stay when all following doses are moved, and the dose moved with them lands at its new time', () => {
    const alone = moved(daily, { index: 2, minutes: 120, scope: 'this' })?.plan ?? daily;
    const all = moved(alone, { index: 1, minutes: 30, scope: 'following' })?.plan ?? daily;
    const again = moved(all, { index: 2, minutes: 24 * 60, scope: 'following' })?.plan ?? daily;
    const shown = (plan: ScheduleRule) =>
      within(plan, 7).map(({ dueDate }) => localDateTime(dueDate, 'Europe/Berlin').slice(5));
    expect(shown(all)).toEqual(['03-27 08:00', '03-28 08:30', '03-29 10:00', '03-30 08:30', '03-31 08:30']);
    expect(shown(again)).toEqual(['03-27 08:00', '03-28 08:30', '03-30 10:00', '03-31 08:30']);
  });

  it('keep their days when the schedule’s times change, and are cancelled when its days change', () => {
    const { plan } = moved(daily, { index: 0, minutes: 25 * 60, scope: 'following' }) ?? { plan: daily };
    const times = movesAfterChange(plan.moves, { days: false, times: true }, NOW);
    const first = (moves: readonly ScheduleMove[]) =>
      firstOccurrences({ ...plan, times: ['10:00'], moves }, from(plan), 1).map(({ dueDate }) =>
        localDateTime(dueDate, 'Europe/Berlin'),
      );
    expect(first(times)).toEqual(['2026-03-28 10:00']);
    expect(first(movesAfterChange(plan.moves, { days: true, times: true }, NOW))).toEqual([
      '2026-03-27 10:00',
    ]);
  });
});
