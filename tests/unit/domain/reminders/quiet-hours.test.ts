import { describe, expect, it } from 'vitest';
import { DEFAULT_NOTIFICATION_CHOICES } from '#app/domain/reminders/notification-choices.ts';
import { endOfDay, isHeldBack, isInQuietHours } from '#app/domain/reminders/quiet-hours.ts';

const BERLIN = 'Europe/Berlin';
const quiet = (quietFrom: string, quietTo: string, instant: string, timeZone = BERLIN) =>
  isInQuietHours({ quietFrom, quietTo }, new Date(instant), timeZone);

describe('quiet hours', () => {
  it.each([
    ['2026-06-10T11:59:59Z', false],
    ['2026-06-10T12:00:00Z', true],
    ['2026-06-10T12:59:59Z', true],
    ['2026-06-10T13:00:00Z', false],
  ])('from 14:00 to 15:00 in Berlin at %s: %s', (instant, expected) => {
    expect(quiet('14:00', '15:00', instant)).toBe(expected);
  });

  it.each([
    ['2026-06-10T19:59:00Z', false],
    ['2026-06-10T20:00:00Z', true],
    ['2026-06-10T23:30:00Z', true],
    ['2026-06-11T04:59:00Z', true],
    ['2026-06-11T05:00:00Z', false],
  ])('over midnight, from 22:00 to 07:00, at %s: %s', (instant, expected) => {
    expect(quiet('22:00', '07:00', instant)).toBe(expected);
  });

  it('are a matter of the time zone', () => {
    expect(quiet('22:00', '07:00', '2026-06-10T12:00:00Z', 'Pacific/Auckland')).toBe(true);
    expect(quiet('22:00', '07:00', '2026-06-10T12:00:00Z', 'UTC')).toBe(false);
  });

  it('that end at a time which is skipped in spring end later by the gap', () => {
    // At 02:00 clocks go to 03:00, so 02:30 becomes 03:30 (01:30 UTC).
    expect(quiet('22:00', '02:30', '2026-03-29T01:29:00Z')).toBe(true);
    expect(quiet('22:00', '02:30', '2026-03-29T01:30:00Z')).toBe(false);
  });

  it('that end at a time which comes twice in autumn end at the first and do not begin again', () => {
    // At 03:00 clocks go back to 02:00: 02:30 is 00:30 UTC and 01:30 UTC.
    expect(quiet('22:00', '02:30', '2026-10-25T00:29:00Z')).toBe(true);
    expect(quiet('22:00', '02:30', '2026-10-25T00:30:00Z')).toBe(false);
    expect(quiet('22:00', '02:30', '2026-10-25T01:15:00Z')).toBe(false);
  });

  it('that begin at a time which comes twice begin at the first and go on through the second', () => {
    expect(quiet('02:30', '07:00', '2026-10-25T00:29:00Z')).toBe(false);
    expect(quiet('02:30', '07:00', '2026-10-25T00:30:00Z')).toBe(true);
    expect(quiet('02:30', '07:00', '2026-10-25T01:10:00Z')).toBe(true);
  });

  it('are none unless both times are set', () => {
    const now = new Date('2026-06-10T22:00:00Z');
    expect(isInQuietHours({ quietFrom: null, quietTo: '23:59' }, now, 'UTC')).toBe(false);
    expect(isInQuietHours({ quietFrom: '00:00', quietTo: null }, now, 'UTC')).toBe(false);
  });
});

describe('muting today', () => {
  it('ends at midnight of the owner, also on a day of 23 hours', () => {
    expect(endOfDay(new Date('2026-03-29T00:30:00Z'), BERLIN)).toEqual(new Date('2026-03-29T22:00:00Z'));
    expect(endOfDay(new Date('2026-12-31T23:30:00Z'), BERLIN)).toEqual(new Date('2027-01-01T23:00:00Z'));
  });

  it('holds back what is not urgent until then', () => {
    const now = new Date('2026-06-10T12:00:00Z');
    const muted = { ...DEFAULT_NOTIFICATION_CHOICES, mutedUntil: endOfDay(now, 'UTC') };
    const at = { now, timeZone: 'UTC' };
    expect(isHeldBack(muted, 'overdue', at)).toBe(true);
    expect(isHeldBack({ ...muted, urgentOverdue: true }, 'overdue', at)).toBe(false);
    expect(isHeldBack({ ...muted, urgentOverdue: true }, 'due', at)).toBe(true);
    expect(isHeldBack(muted, 'due', { ...at, now: muted.mutedUntil })).toBe(false);
    expect(isHeldBack({ ...muted, mutedUntil: null }, 'due', at)).toBe(false);
  });
});
