import { describe, expect, it } from 'vitest';
import { reportRow, RECORD_TYPES } from '#app/domain/records/record-types.ts';
import type { ExportType } from '#app/domain/records/type-names.ts';

/** What the printed report shows for a row with these cells. */
function printed(type: ExportType, cells: Record<string, string>): Record<string, string> {
  const { columns, printColumns } = RECORD_TYPES[type];
  const row = columns.map(({ name }) => cells[name] ?? null);
  const shown = reportRow(type, (iso) => `at ${iso}`)(row);
  return Object.fromEntries(printColumns.map(({ heading }, index) => [heading, shown[index] ?? '']));
}

describe('the printed report turns codes of the file into words', () => {
  it.each([
    [{ frequency: 'weekdays', weekdays: 'mon wed sun' }, 'Monday, Wednesday and Sunday'],
    [{ frequency: 'interval', everyDays: '3' }, 'Every 3 days'],
    [{ frequency: 'cycle', daysOn: '5', daysOff: '2' }, '5 days on, 2 days off'],
    [{ frequency: 'monthly', monthDay: '15' }, 'Every month on the 15th'],
    [{ frequency: 'monthly', monthDay: 'last' }, 'Every month on the last day'],
    [{ frequency: 'after-last', everyHours: '8' }, '8 hours after the last dose'],
    [{ frequency: 'as-needed' }, 'As needed'],
    [
      { frequency: 'as-needed', minGapHours: '4', maxPerDay: '3' },
      'As needed, at least 4 hours apart, at most 3 a day',
    ],
    [{ frequency: 'daily' }, 'Every day'],
    [{ frequency: 'once' }, 'Once'],
  ])('for the frequency %j', (cells, words) => {
    expect(printed('schedules', cells as unknown as Record<string, string>)['How often']).toBe(words);
  });

  it('for times, zones, states and sites', () => {
    expect(printed('schedules', { times: '08:00 20:00', timeZone: 'America/New_York' })).toMatchObject({
      Times: '08:00, 20:00',
      Zone: 'America/New York',
    });
    expect(printed('compounds', { status: 'in_use' })['Status']).toBe('In use');
    expect(printed('injectionSites', { site: 'abdomen-upper-left' })['Site']).toBe('Abdomen, upper left');
  });
});
