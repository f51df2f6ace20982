import { describe, expect, it } from 'vitest';
import { fieldErrors } from '#app/domain/forms/fields.ts';
import {
  NO_FIRST_DAY,
  SCHEDULE_MESSAGES as M,
  scheduleSchema,
  TIMING_MESSAGES as T,
} from '#app/domain/schedules/schedule-schema.ts';

const BODY = {
  name: ' BPC-157 ',
  doseAmount: 0.25,
  doseUnit: 'mg',
  frequency: { kind: 'daily' },
  times: ['20:00', '08:00'],
  timeZone: 'Europe/Berlin',
  startDate: '2026-03-01',
};
const RAMP = { start: '0.25', step: '0.25', everyWeeks: 4, target: '1' };

const read = (more: object) => scheduleSchema.parse({ ...BODY, ...more });
const messages = (more: object) => {
  const parsed = scheduleSchema.safeParse({ ...BODY, ...more });
  return parsed.success ? {} : fieldErrors(parsed.error.issues);
};

describe('a valid schedule', () => {
  it('is returned in its plain form', () => {
    expect(read({})).toEqual({ ...BODY, name: 'BPC-157', doseAmount: '0.25', times: ['08:00', '20:00'] });
  });

  it('can come from a form with text, empty controls and fields of other frequencies', () => {
    const form = {
      doseAmount: ' 0,250 ',
      frequency: { kind: 'cycle', on: '5', off: ' 2 ', every: 'x', weekdays: 'mon' },
      times: ['08:00', '', ''],
      compoundId: '',
      timeZone: '',
      endDate: '',
      route: ' ',
      reminderLeadMinutes: '',
      notes: '',
      ramp: { start: '', step: '', everyWeeks: '', target: '' },
      course: { weeksOn: '', weeksOff: '' },
    };
    const { startDate, doseUnit } = BODY;
    expect(read(form)).toEqual({
      name: 'BPC-157',
      doseAmount: '0.25',
      doseUnit,
      frequency: { kind: 'cycle', on: 5, off: 2 },
      times: ['08:00'],
      startDate,
    });
    expect(read({ times: '07:30' }).times).toEqual(['07:30']);
    expect(read({ frequency: { kind: 'weekdays', weekdays: 'tue' } }).frequency).toEqual({
      kind: 'weekdays',
      weekdays: ['tue'],
    });
  });

  it('can be on a day of the month, given as a number, as form text, or as the last', () => {
    const monthly = (day: unknown) => read({ frequency: { kind: 'monthly', day } }).frequency;
    expect([monthly(31), monthly(' 7 '), monthly('last')]).toEqual(
      [31, 7, 'last'].map((day) => ({ kind: 'monthly', day })),
    );
  });

  it('can count from the last dose, without times or a first day', () => {
    const frequency = { kind: 'after-last', everyHours: '8' };
    const { times: _times, startDate: _day, ...body } = BODY;
    const sent = { ...body, frequency, firstDueAt: ' 2026-03-01T08:00 ' };
    const bare = scheduleSchema.parse(sent);
    expect(bare).toMatchObject({
      frequency: { kind: 'after-last', everyHours: 8 },
      times: [],
      firstDueAt: '2026-03-01T08:00',
    });
    // Form fields of other frequencies do not matter.
    expect(scheduleSchema.parse({ ...sent, times: ['', '25:00'], startDate: '' })).toEqual(bare);
    expect(scheduleSchema.parse({ ...sent, firstDueAt: new Date('2026-03-01T08:00:00Z') }).firstDueAt).toBe(
      '2026-03-01T08:00:00.000Z',
    );
    expect(read({ firstDueAt: '2026-03-01T08:00' })).not.toHaveProperty('firstDueAt');
  });

  it('can be as needed, without times, by default from the day it is created', () => {
    const frequency = { kind: 'as-needed', minGapHours: '4', maxPerDay: '' };
    const { times: _times, startDate: _day, ...body } = BODY;
    const bare = scheduleSchema.parse({ ...body, frequency });
    expect(bare).toMatchObject({ times: [], startDate: NO_FIRST_DAY });
    expect(bare.frequency).toEqual({ kind: 'as-needed', minGapHours: 4 });
    const left = { times: ['25:00'], startDate: '', firstDueAt: 'soon' };
    expect(scheduleSchema.parse({ ...body, frequency, ...left })).toEqual(bare);
    expect(scheduleSchema.parse({ ...body, frequency, startDate: '2026-03-01' }).startDate).toBe(
      '2026-03-01',
    );
  });

  it('has its weekdays in order, each once', () => {
    const weekdays = ['sun', 'mon', 'sun'];
    expect(read({ frequency: { kind: 'weekdays', weekdays } }).frequency).toEqual({
      kind: 'weekdays',
      weekdays: ['mon', 'sun'],
    });
  });

  it('can have a ramp up or down in place of the dose', () => {
    expect(read({ doseAmount: undefined, ramp: RAMP }).ramp).toEqual(RAMP);
    expect(read({ ramp: { ...RAMP, start: 1, step: -0.25, target: 0.5 } }).ramp).toEqual({
      ...RAMP,
      start: '1',
      step: '-0.25',
      target: '0.5',
    });
    expect(read({ ramp: { ...RAMP, start: '1', step: '−0,25', target: '0.5' } }).ramp?.step).toBe('-0.25');
  });
});

describe('an invalid schedule gets a message at the field', () => {
  const times = (count: number) =>
    Array.from(
      { length: count },
      (_, n) => `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`,
    );
  const wrong: [what: string, more: object, field: string, message: string][] = [
    ['an end before the start', { endDate: '2026-02-28' }, 'endDate', M.order],
    ['a day that does not exist', { startDate: '2026-02-30' }, 'startDate', M.startDate],
    ['no start', { startDate: undefined }, 'startDate', M.startDate],
    ['no times', { times: [] }, 'times', T.times],
    ['absent times', { times: undefined }, 'times', T.times],
    ['25:00', { times: ['25:00'] }, 'times', T.time],
    ['24:00', { times: ['24:00'] }, 'times', T.time],
    ['8:00', { times: ['8:00'] }, 'times', T.time],
    ['a time that is no text', { times: [800] }, 'times', T.time],
    ['25 times a day', { times: times(25) }, 'times', T.tooMany],
    ['10,000 times a day', { times: times(10_000).map((time) => time.slice(-5)) }, 'times', T.tooMany],
    ['a time twice', { times: ['08:00', '08:00'] }, 'times', T.twice],
    ['an unknown zone', { timeZone: 'Mars/Olympus' }, 'timeZone', M.timeZone],
    ['an offset for a zone', { timeZone: '+02:00' }, 'timeZone', M.timeZone],
    ['every 0 days', { frequency: { kind: 'interval', every: 0 } }, 'frequency.every', T.every],
    ['every 1.5 days', { frequency: { kind: 'interval', every: 1.5 } }, 'frequency.every', T.every],
    ['every 366 days', { frequency: { kind: 'interval', every: '366' } }, 'frequency.every', T.every],
    ['an interval without days', { frequency: { kind: 'interval' } }, 'frequency.every', T.every],
    ['0 days off', { frequency: { kind: 'cycle', on: 5, off: 0 } }, 'frequency.off', T.off],
    ['no weekday', { frequency: { kind: 'weekdays', weekdays: [] } }, 'frequency.weekdays', T.weekdays],
    [
      'an unknown weekday',
      { frequency: { kind: 'weekdays', weekdays: ['moon'] } },
      'frequency.weekdays',
      T.weekdays,
    ],
    ['day 0 of the month', { frequency: { kind: 'monthly', day: 0 } }, 'frequency.day', T.day],
    ['day 32 of the month', { frequency: { kind: 'monthly', day: '32' } }, 'frequency.day', T.day],
    ['day 1.5 of the month', { frequency: { kind: 'monthly', day: 1.5 } }, 'frequency.day', T.day],
    ['no day of the month', { frequency: { kind: 'monthly', day: '' } }, 'frequency.day', T.day],
    ['a month without its day', { frequency: { kind: 'monthly' } }, 'frequency.day', T.day],
    ...[0, 8761, 1.5, ''].map((everyHours): [string, object, string, string] => [
      `${everyHours} hours after the last dose`,
      { frequency: { kind: 'after-last', everyHours } },
      'frequency.everyHours',
      T.everyHours,
    ]),
    ...[0, 8761, 1.5, 'a few'].map((minGapHours): [string, object, string, string] => [
      `at least ${minGapHours} hours apart`,
      { frequency: { kind: 'as-needed', minGapHours } },
      'frequency.minGapHours',
      T.minGapHours,
    ]),
    ...[0, 25, 1.5].map((maxPerDay): [string, object, string, string] => [
      `at most ${maxPerDay} a day`,
      { frequency: { kind: 'as-needed', maxPerDay } },
      'frequency.maxPerDay',
      T.maxPerDay,
    ]),
    [
      'weeks off beside doses as needed',
      { frequency: { kind: 'as-needed' }, course: { weeksOn: 1, weeksOff: 1 } },
      'course.weeksOn',
      M.asNeededAlone,
    ],
    [
      'weeks off beside hours after the last dose',
      { frequency: { kind: 'after-last', everyHours: 8 }, course: { weeksOn: 1, weeksOff: 1 } },
      'course.weeksOn',
      M.afterLastAlone,
    ],
    [
      'an end before the first dose',
      {
        frequency: { kind: 'after-last', everyHours: 8 },
        firstDueAt: '2026-03-02T08:00',
        endDate: '2026-03-01',
      },
      'endDate',
      M.order,
    ],
    [
      'a first dose of words',
      { frequency: { kind: 'after-last', everyHours: 8 }, firstDueAt: 'soon' },
      'firstDueAt',
      T.firstDueAt,
    ],
    ['an unknown kind', { frequency: { kind: 'hourly' } }, 'frequency.kind', T.kind],
    ['no dose', { doseAmount: undefined }, 'doseAmount', M.doseAmount],
    ['a dose of words', { doseAmount: 'two' }, 'doseAmount', 'Enter a number, such as 5'],
    ['a dose of zero', { doseAmount: '0' }, 'doseAmount', M.doseAmount],
    ['a negative dose', { doseAmount: -1 }, 'doseAmount', M.doseAmount],
    ['an operator for a dose', { doseAmount: { $gt: 0 } }, 'doseAmount', M.doseAmount],
    ['over 100 mg', { doseAmount: '100.01' }, 'doseAmount', M.doseTooLarge],
    ['over 100 mg in mcg', { doseAmount: '100001', doseUnit: 'mcg' }, 'doseAmount', M.doseTooLarge],
    ['another unit', { doseUnit: 'ml' }, 'doseUnit', M.doseUnit],
    ['over 100,000 IU', { doseAmount: '100001', doseUnit: 'IU' }, 'doseAmount', M.doseTooLargeInIu],
    ['no name', { name: '  ' }, 'name', M.name],
    ['a long name', { name: 'x'.repeat(101) }, 'name', M.name],
    ['a lead of 121 minutes', { reminderLeadMinutes: 121 }, 'reminderLeadMinutes', M.lead],
    ['a negative lead', { reminderLeadMinutes: -1 }, 'reminderLeadMinutes', M.lead],
    ['a ramp that never ends', { ramp: { ...RAMP, step: 0 } }, 'ramp.step', M.noSteps],
    ['a ramp that moves away', { ramp: { ...RAMP, step: '-0.25' } }, 'ramp.step', M.wrongWay],
    ['a ramp that is there already', { ramp: { ...RAMP, target: '0.25' } }, 'ramp.target', M.atTarget],
    ['a ramp of 40 years', { ramp: { ...RAMP, step: '0.001', everyWeeks: 3 } }, 'ramp.step', M.tooSlow],
    [
      'a ramp half filled in',
      { ramp: { start: '1', step: '', everyWeeks: '', target: '' } },
      'ramp.target',
      T.target,
    ],
    ['a ramp to over 100 mg', { ramp: { ...RAMP, step: 50, target: 101 } }, 'ramp.target', M.doseTooLarge],
    ['a course without weeks off', { course: { weeksOn: 4, weeksOff: 0 } }, 'course.weeksOff', T.weeks],
    ['a ramp of one day', { frequency: { kind: 'once' }, ramp: RAMP }, 'ramp.start', M.onceAlone],
  ];
  it.each(wrong)('for %s', (_, more, field, message) => {
    expect(messages(more)[field]).toContain(message);
  });

  it('but not for the largest allowed values', () => {
    expect(messages({ doseAmount: '100', times: times(24), reminderLeadMinutes: 120 })).toEqual({});
    expect(
      messages({ doseAmount: '100000', doseUnit: 'mcg', frequency: { kind: 'interval', every: 365 } }),
    ).toEqual({});
  });
});
