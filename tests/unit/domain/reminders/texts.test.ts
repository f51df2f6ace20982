import { describe, expect, it } from 'vitest';
import {
  badgeText,
  relativeTime,
  reminderTitle,
  reminderTexts,
} from '#app/domain/reminders/reminder-texts.ts';
import { DELIVERY_LIFE_MS, MOST_ATTEMPTS, nextAttempt } from '#app/domain/reminders/delivery-retry.ts';
import { REMINDER_TYPES } from '#app/domain/reminders/reminder-stages.ts';

const dose = {
  name: 'BPC-157',
  doseAmount: '250',
  doseUnit: 'mcg' as const,
  dueDate: new Date('2026-07-01T06:00:00Z'),
  timeZone: 'Europe/Berlin',
};

describe('the texts of a reminder', () => {
  it.each([
    ['upcoming', 'BPC-157, 250 mcg, is due at 08:00.'],
    ['due', 'BPC-157, 250 mcg, is due now (08:00).'],
    ['overdue', 'BPC-157, 250 mcg, was due at 08:00.'],
  ] as const)('%s', (stage, words) => {
    const { message, discreet } = reminderTexts(dose, stage);
    expect(message).toBe(words);
    expect(discreet).toContain('08:00');
    expect(discreet).not.toMatch(/BPC|250|mcg|dose/i);
  });

  it('have a title for each type, and a discreet one', () => {
    const open = REMINDER_TYPES.map((type) => reminderTitle(type));
    expect(open).toEqual(['Dose coming up', 'Dose due', 'Dose overdue', 'Your stock']);
    expect(new Set(REMINDER_TYPES.map((type) => reminderTitle(type, true)))).toEqual(new Set(['Vialbook']));
  });
});

describe('relative time', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const ago = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now, 'UTC');
  it.each([
    [-60, 'Just now'],
    [0, 'Just now'],
    [59, 'Just now'],
    [60, '1m ago'],
    [3599, '59m ago'],
    [3600, '1h ago'],
    [86_399, '23h ago'],
    [86_400, '9 Mar 2026'],
  ])('%i s', (seconds, words) => {
    expect(ago(seconds)).toBe(words);
  });

  it('gives the date in the reader’s time zone', () => {
    const at = new Date('2026-03-08T23:30:00Z');
    expect(relativeTime(at, now, 'UTC')).toBe('8 Mar 2026');
    expect(relativeTime(at, now, 'Asia/Tokyo')).toBe('9 Mar 2026');
  });
});

describe('the bell’s badge', () => {
  it.each([
    [-1, null],
    [0, null],
    [1, '1'],
    [9, '9'],
    [10, '9+'],
    [1000, '9+'],
  ])('%i unread: %s', (unread, text) => {
    expect(badgeText(unread)).toBe(text);
  });
});

describe('a failed delivery', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const pauses = (asked: number | null = null) =>
    Array.from({ length: MOST_ATTEMPTS }, (_, index) => {
      const next = nextAttempt(now, now, index + 1, asked);
      return next === null ? null : (next.getTime() - now.getTime()) / 1000;
    });

  it('is retried after longer and longer pauses, then given up', () => {
    expect(pauses()).toEqual([15, 60, 240, 960, 3600, 3600, 3600, null]);
  });

  it('waits as long as the receiver asks', () => {
    expect(pauses(120_000).slice(0, 3)).toEqual([120, 120, 240]);
  });

  it('is given up when its reminder is too old', () => {
    expect(nextAttempt(now, new Date(now.getTime() - DELIVERY_LIFE_MS), 1, null)).toBeNull();
    expect(nextAttempt(now, now, 1, DELIVERY_LIFE_MS + 1)).toBeNull();
  });
});
