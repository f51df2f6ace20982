import { describe, expect, it } from 'vitest';
import { occurrences } from '#app/domain/schedules/occurrences.ts';
import type { Frequency, ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { rule } from '#tests/support/schedules.ts';

const between = (more: Partial<ScheduleRule>, from: string, to: string) =>
  occurrences(rule(more), { from: new Date(from), to: new Date(to) });
const instants = (more: Partial<ScheduleRule>, from: string, to: string) =>
  between(more, from, to).map(({ dueDate }) => dueDate.toISOString().replace(':00.000Z', 'Z'));
const days = (more: Partial<ScheduleRule>, from: string, to: string) =>
  between(more, from, to).map(({ localDay }) => localDay.slice(5));

describe('the dose days of a schedule', () => {
  const kinds: [string, Frequency, string[]][] = [
    [
      'daily',
      { kind: 'daily' },
      ['03-02', '03-03', '03-04', '03-05', '03-06', '03-07', '03-08', '03-09', '03-10', '03-11'],
    ],
    ['weekdays', { kind: 'weekdays', weekdays: ['mon', 'thu'] }, ['03-02', '03-05', '03-09']],
    [
      'every 3 days, from the start date',
      { kind: 'interval', every: 3 },
      ['03-02', '03-05', '03-08', '03-11'],
    ],
    [
      '2 on, 3 off, from the start date',
      { kind: 'cycle', on: 2, off: 3 },
      ['03-02', '03-03', '03-07', '03-08'],
    ],
    ['once', { kind: 'once' }, ['03-02']],
  ];
  it.each(kinds)('%s', (_, frequency, expected) => {
    expect(days({ frequency, startDate: '2026-03-02' }, '2026-02-01', '2026-03-12')).toEqual(expected);
  });

  it('are counted from the start date for an interval, however late the window is', () => {
    const more = { frequency: { kind: 'interval', every: 100 } as const, startDate: '2020-01-01' };
    expect(days(more, '2026-01-01', '2026-07-01')).toEqual(['01-09', '04-19']);
  });

  it('include the end date', () => {
    expect(days({ startDate: '2026-03-02', endDate: '2026-03-04' }, '2026-01-01', '2027-01-01')).toEqual([
      '03-02',
      '03-03',
      '03-04',
    ]);
  });

  it('skip the weeks off, counted from the start date', () => {
    const more = { frequency: { kind: 'interval', every: 7 } as const, course: { weeksOn: 2, weeksOff: 1 } };
    expect(days({ ...more, startDate: '2026-03-04' }, '2026-03-01', '2026-04-30')).toEqual([
      '03-04',
      '03-11',
      '03-25',
      '04-01',
      '04-15',
      '04-22',
    ]);
  });

  it('have every time of day, in order', () => {
    const more = { times: ['08:00', '12:30', '23:59'], timeZone: 'Asia/Kolkata' };
    expect(instants(more, '2026-03-01T18:30Z', '2026-03-02T18:30Z')).toEqual([
      '2026-03-02T02:30Z',
      '2026-03-02T07:00Z',
      '2026-03-02T18:29Z',
    ]);
  });

  it('include the window’s first instant but not its last', () => {
    expect(instants({}, '2026-03-01T08:00Z', '2026-03-03T08:00Z')).toEqual([
      '2026-03-01T08:00Z',
      '2026-03-02T08:00Z',
    ]);
    expect(instants({}, '2026-03-01T08:01Z', '2026-03-01T08:01Z')).toEqual([]);
  });
});

describe('a schedule across clock changes', () => {
  it('keeps 08:00 at 08:00 in summer and winter', () => {
    const more = { timeZone: 'Europe/Berlin', frequency: { kind: 'interval', every: 180 } as const };
    expect(instants(more, '2026-01-01', '2027-01-01')).toEqual([
      '2026-01-01T07:00Z',
      '2026-06-30T06:00Z',
      '2026-12-27T07:00Z',
    ]);
  });

  // Days of change and instants from the published rules of each zone (IANA tz database, 2016 to 2026).
  const changes: [zone: string, day: string, time: string, instant: string][] = [
    ['America/New_York', '2026-03-08', '02:30', '2026-03-08T07:30Z'],
    ['America/New_York', '2026-03-08', '02:00', '2026-03-08T07:00Z'],
    ['America/New_York', '2026-03-08', '03:00', '2026-03-08T07:00Z'],
    ['America/New_York', '2026-03-08', '01:59', '2026-03-08T06:59Z'],
    ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30Z'],
    ['America/New_York', '2026-11-01', '02:00', '2026-11-01T07:00Z'],
    ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:30Z'],
    ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30Z'],
    ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T02:00Z'],
    ['Europe/Dublin', '2026-03-29', '01:30', '2026-03-29T01:30Z'],
    ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:45Z'],
    ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45Z'],
    ['America/Sao_Paulo', '2018-11-04', '00:30', '2018-11-04T03:30Z'],
    ['America/Sao_Paulo', '2018-02-17', '23:30', '2018-02-18T01:30Z'],
    ['Asia/Beirut', '2026-03-29', '00:15', '2026-03-28T22:15Z'],
    ['Pacific/Chatham', '2026-09-27', '02:50', '2026-09-26T14:05Z'],
    ['Antarctica/Troll', '2026-03-29', '02:30', '2026-03-29T02:30Z'],
    ['Asia/Kathmandu', '2026-03-29', '02:30', '2026-03-28T20:45Z'],
    ['Pacific/Kiritimati', '2026-03-29', '00:00', '2026-03-28T10:00Z'],
  ];
  it.each(changes)('in %s on %s puts %s at the published instant', (timeZone, startDate, time, instant) => {
    const more: Partial<ScheduleRule> = { timeZone, startDate, times: [time], frequency: { kind: 'once' } };
    const day = Date.parse(startDate);
    expect(instants(more, new Date(day - 2e8).toISOString(), new Date(day + 2e8).toISOString())).toEqual([
      instant,
    ]);
  });

  it('has all doses on days of 23 and 25 hours', () => {
    const times = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:15`);
    for (const day of ['2026-03-29', '2026-10-25']) {
      const more = { timeZone: 'Europe/Berlin', times, startDate: day, endDate: day };
      const found = between(more, '2026-01-01', '2027-01-01');
      expect(found).toHaveLength(24);
      expect(new Set(found.map(({ wallTime }) => wallTime)).size).toBe(24);
    }
  });

  it('keeps two doses that a clock change moves to the same instant', () => {
    const more = {
      timeZone: 'Europe/Berlin',
      times: ['02:30', '03:30'],
      startDate: '2026-03-29',
      endDate: '2026-03-29',
    };
    const found = between(more, '2026-03-28', '2026-03-31');
    expect(found.map(({ wallTime }) => wallTime)).toEqual(['02:30', '03:30']);
    expect(new Set(found.map(({ dueDate }) => dueDate.getTime())).size).toBe(1);
  });
});

describe('a day that a zone skips (Samoa, 30 December 2011)', () => {
  const samoa = { timeZone: 'Pacific/Apia', startDate: '2011-12-28', endDate: '2012-01-02' };

  it('has no dose of a daily schedule', () => {
    expect(instants(samoa, '2011-12-01', '2012-02-01')).toEqual([
      '2011-12-28T18:00Z',
      '2011-12-29T18:00Z',
      '2011-12-30T18:00Z',
      '2011-12-31T18:00Z',
      '2012-01-01T18:00Z',
    ]);
  });

  it('passes the dose of a schedule with only this day on to the next day', () => {
    const more: Partial<ScheduleRule> = { ...samoa, frequency: { kind: 'weekdays', weekdays: ['fri'] } };
    expect(instants(more, '2011-12-01', '2012-02-01')).toEqual(['2011-12-30T18:00Z']);
  });
});

describe('the amount of a ramped dose', () => {
  const ramp = { start: '0.25', step: '0.25', everyWeeks: 4, target: '1.1' };
  const weekly = { frequency: { kind: 'interval', every: 7 } as const, ramp };

  it('rises step by step to the target and stays there', () => {
    const amounts = between(weekly, '2026-01-01', '2026-07-01').map(({ doseAmount }) => doseAmount);
    const four = (amount: string) => Array<string>(4).fill(amount);
    expect(amounts.slice(0, 20)).toEqual([
      ...four('0.25'),
      ...four('0.5'),
      ...four('0.75'),
      ...four('1'),
      ...four('1.1'),
    ]);
    expect(new Set(amounts.slice(20))).toEqual(new Set(['1.1']));
  });

  it('falls in the same way', () => {
    const down = { ...weekly, ramp: { start: '1', step: '-0.3', everyWeeks: 1, target: '0.2' } };
    const amounts = between(down, '2026-01-01', '2026-02-10').map(({ doseAmount }) => doseAmount);
    expect(amounts).toEqual(['1', '0.7', '0.4', '0.2', '0.2', '0.2']);
  });

  it('is exact where binary fractions are not', () => {
    const tenths = { ...weekly, ramp: { start: '0.1', step: '0.1', everyWeeks: 1, target: '0.8' } };
    const amounts = between(tenths, '2026-01-01', '2026-02-20').map(({ doseAmount }) => doseAmount);
    expect(amounts).toEqual(['0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8']);
  });
});
