import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byDayPart, DAY_PARTS, dayPartOf } from '#app/domain/doses/day-parts.ts';
import { missedAt, reminderAhead, urgencyOf } from '#app/domain/doses/dose.ts';

const due = new Date('2026-03-09T08:00:00Z');
const minutes = (count: number) => new Date(due.getTime() + count * 60_000);

describe('the urgency of a dose', () => {
  it.each([
    [-1, 'later'],
    [0, 'due'],
    [29.99, 'due'],
    [30, 'overdue'],
    [60 * 24 * 10, 'overdue'],
  ])('%s minutes after the due time is %s', (after, urgency) => {
    expect(urgencyOf(due, minutes(after))).toBe(urgency);
  });

  it('ends when the dose becomes missed, the chosen number of hours after it was due', () => {
    expect(missedAt(due, 24).toISOString()).toBe('2026-03-10T08:00:00.000Z');
    expect(missedAt(due, 1).toISOString()).toBe('2026-03-09T09:00:00.000Z');
  });
});

describe('the reminder of a dose that undo made pending', () => {
  const pending = { status: 'pending' as const, dueDate: due };
  it.each([
    [15, -60, 'upcoming', -15],
    [15, -15, 'due', 0],
    [0, -60, 'due', 0],
    [15, 0, 'overdue', 30],
    [15, 29, 'overdue', 30],
  ] as const)('lead %s, undone %s minutes after the due time: %s at %s', (lead, now, remindStage, at) => {
    expect(reminderAhead(pending, lead, minutes(now))).toEqual({ remindStage, remindAt: minutes(at) });
  });

  it('is absent once all stages are over, and for doses that are not pending', () => {
    expect(reminderAhead(pending, 15, minutes(30)).remindAt).toBeNull();
    expect(reminderAhead({ ...pending, status: 'missed' }, 15, minutes(-60)).remindAt).toBeNull();
  });

  it('law: it never lies in the past', () => {
    fc.assert(
      fc.property(fc.nat(120), fc.integer({ min: -5000, max: 5000 }), (lead, after) => {
        const { remindAt } = reminderAhead(pending, lead, minutes(after));
        if (remindAt !== null) expect(remindAt > minutes(after)).toBe(true);
        else expect(after).toBeGreaterThanOrEqual(30);
      }),
    );
  });
});

describe('parts of the day', () => {
  it.each([
    ['00:00', 'night'],
    ['04:59', 'night'],
    ['05:00', 'morning'],
    ['11:59', 'morning'],
    ['12:00', 'afternoon'],
    ['17:59', 'afternoon'],
    ['18:00', 'evening'],
    ['23:59', 'evening'],
  ])('%s is %s', (time, part) => {
    expect(dayPartOf(time)).toBe(part);
  });

  it('law: contain every row exactly once, in order', () => {
    const row = fc
      .record({ hour: fc.nat(23), id: fc.nat() })
      .map(({ hour, id }) => ({ id, time: `${String(hour).padStart(2, '0')}:00` }));
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const sorted = rows.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
        const groups = byDayPart(sorted);
        expect(groups.flatMap((group) => group.rows)).toEqual(sorted);
        const order = groups.map(({ part }) => DAY_PARTS.indexOf(part));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        expect(groups.every((group) => group.rows.length > 0)).toBe(true);
      }),
    );
  });
});
