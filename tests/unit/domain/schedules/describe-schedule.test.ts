import { describe, expect, it } from 'vitest';
import {
  courseSummary,
  describeSchedule,
  doseSummary,
  frequencyText,
} from '#app/domain/schedules/describe-schedule.ts';
import { phasesOf } from '#app/domain/schedules/schedule-view.ts';
import { occurrences } from '#app/domain/schedules/occurrences.ts';
import { doseOfWeek, rampDose, rampSteps, type Frequency } from '#app/domain/schedules/schedule-rule.ts';
import { rule } from '#tests/support/schedules.ts';

const UP = { start: '0.25', step: '0.25', everyWeeks: 4, target: '1.1' };
const DOWN = { start: '10', step: '-2.5', everyWeeks: 1, target: '5' };

describe('the description of a schedule', () => {
  const words: [Frequency, string][] = [
    [{ kind: 'daily' }, 'Every day'],
    [{ kind: 'weekdays', weekdays: ['sun'] }, 'Every Sunday'],
    [{ kind: 'weekdays', weekdays: ['fri', 'mon', 'wed'] }, 'Monday, Wednesday and Friday'],
    [{ kind: 'weekdays', weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] }, 'Monday to Friday'],
    [{ kind: 'weekdays', weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }, 'Every day'],
    [{ kind: 'interval', every: 1 }, 'Every day'],
    [{ kind: 'interval', every: 3 }, 'Every 3 days'],
    [{ kind: 'cycle', on: 5, off: 1 }, '5 days on, 1 day off'],
    [{ kind: 'monthly', day: 1 }, 'Every month on the 1st'],
    [{ kind: 'monthly', day: 12 }, 'Every month on the 12th'],
    [{ kind: 'monthly', day: 22 }, 'Every month on the 22nd'],
    [{ kind: 'monthly', day: 31 }, 'Every month on the 31st (the last day of shorter months)'],
    [{ kind: 'monthly', day: 'last' }, 'Every month on the last day'],
    [{ kind: 'after-last', everyHours: 8 }, '8 hours after the last dose'],
    [{ kind: 'after-last', everyHours: 1 }, '1 hour after the last dose'],
    [{ kind: 'as-needed' }, 'As needed'],
    [{ kind: 'as-needed', minGapHours: 1 }, 'As needed, at least 1 hour apart'],
    [
      { kind: 'as-needed', minGapHours: 4, maxPerDay: 3 },
      'As needed, at least 4 hours apart, at most 3 a day',
    ],
    [{ kind: 'once' }, 'Once'],
  ];
  it.each(words)('%j', (frequency, expected) => {
    expect(frequencyText(frequency)).toBe(expected);
  });

  it('includes its times', () => {
    expect(describeSchedule(rule({ times: ['08:00', '14:00', '20:00'] }))).toBe(
      'Every day at 08:00, 14:00 and 20:00',
    );
  });

  it('includes dose, ramp and course', () => {
    expect(doseSummary(rule())).toBe('250 mcg');
    expect(doseSummary(rule({ doseUnit: 'mg', ramp: UP }))).toBe(
      '0.25 mg, then 0.25 mg more every 4 weeks, up to 1.1 mg',
    );
    expect(doseSummary(rule({ ramp: DOWN }))).toBe('10 mcg, then 2.5 mcg less every week, down to 5 mcg');
    expect(courseSummary({ weeksOn: 8, weeksOff: 1 })).toBe('8 weeks on, 1 week off');
  });
});

describe('a ramp', () => {
  it('takes the right number of steps', () => {
    expect(rampSteps(UP)).toBe(4);
    expect(rampSteps(DOWN)).toBe(2);
    expect(rampSteps({ ...UP, target: '0.25' })).toBe(0);
    expect(rampSteps({ ...UP, step: '0' })).toBe(Infinity);
    expect(rampSteps({ ...UP, step: '-0.25' })).toBe(Infinity);
  });

  it('ends exactly at its target', () => {
    expect([0, 1, 3, 4, 5, 100].map((steps) => rampDose(UP, steps))).toEqual([
      '0.25',
      '0.5',
      '1',
      '1.1',
      '1.1',
      '1.1',
    ]);
  });
});

describe('the phases of a schedule', () => {
  const rows = (more: Parameters<typeof rule>[0]) =>
    phasesOf(rule(more)).map((phase) => [
      `${phase.firstWeek}-${phase.lastWeek ?? ''}`,
      `${phase.firstDay.slice(2)}-${phase.lastDay?.slice(2) ?? ''}`,
      phase.dose,
    ]);

  it('are absent without a ramp and a course', () => {
    expect(phasesOf(rule())).toEqual([]);
  });

  it('end with the target of a ramp, which stays', () => {
    expect(rows({ ramp: { ...UP, target: '0.75' } })).toEqual([
      ['1-4', '26-01-01-26-01-28', '0.25'],
      ['5-8', '26-01-29-26-02-25', '0.5'],
      ['9-', '26-02-26-', '0.75'],
    ]);
  });

  it('show two rounds of a course', () => {
    expect(rows({ course: { weeksOn: 2, weeksOff: 1 } })).toEqual([
      ['1-2', '26-01-01-26-01-14', '250'],
      ['3-3', '26-01-15-26-01-21', null],
      ['4-5', '26-01-22-26-02-04', '250'],
      ['6-6', '26-02-05-26-02-11', null],
    ]);
  });

  it('combine a ramp and a course', () => {
    const ramp = { start: '1', step: '1', everyWeeks: 2, target: '2' };
    expect(
      rows({ ramp, course: { weeksOn: 3, weeksOff: 1 } }).map(([weeks, , dose]) => [weeks, dose]),
    ).toEqual([
      ['1-2', '1'],
      ['3-3', '2'],
      ['4-4', null],
      ['5-7', '2'],
      ['8-8', null],
    ]);
  });

  it('end with the schedule', () => {
    expect(rows({ ramp: UP, endDate: '2026-02-10' })).toEqual([
      ['1-4', '26-01-01-26-01-28', '0.25'],
      ['5-6', '26-01-29-26-02-10', '0.5'],
    ]);
    expect(rows({ ramp: { ...UP, target: '0.5' }, endDate: '2026-12-31' }).at(-1)).toEqual([
      '5-',
      '26-01-29-26-12-31',
      '0.5',
    ]);
  });

  it('are never more than 24', () => {
    expect(phasesOf(rule({ ramp: { start: '1', step: '1', everyWeeks: 1, target: '99' } }))).toHaveLength(24);
  });
});

describe('a ramp with weeks off', () => {
  const climbing = rule({
    ramp: { start: '100', step: '100', everyWeeks: 2, target: '500' },
    course: { weeksOn: 2, weeksOff: 2 },
  });

  it('counts only weeks with doses, and skips no step', () => {
    const doses = phasesOf(climbing).map(({ dose }) => dose);
    expect(doses).toEqual(['100', null, '200', null, '300', null, '400', null, '500', null]);
  });

  it('continues a step that is interrupted by weeks off', () => {
    const cut = { ...climbing, course: { weeksOn: 3, weeksOff: 1 } };
    const weeks = Array.from({ length: 12 }, (_, week) => (week % 4 === 3 ? null : doseOfWeek(cut, week)));
    expect(weeks).toEqual(['100', '100', '200', null, '200', '300', '300', null, '400', '400', '500', null]);
  });

  it('gives the generated doses the same amounts', () => {
    const window = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-02-26T00:00:00Z') };
    const amounts = occurrences(climbing, window).map(({ doseAmount }) => doseAmount);
    expect(amounts).toEqual([...Array<string>(14).fill('100'), ...Array<string>(14).fill('200')]);
  });
});
