import { describe, expect, it } from 'vitest';
import { readRow } from '#app/domain/records/record-types.ts';

const NOW = new Date('2090-06-01T12:00:00Z');
const SETTING = { now: NOW, timeZone: 'Asia/Tokyo' };

const CREATED = '2090-01-01T00:00:00.000Z';
const ROWS = {
  schedules: {
    id: 'sched_01234567',
    createdAt: CREATED,
    name: 'A',
    doseAmount: '1',
    doseUnit: 'mg',
    frequency: 'daily',
    times: '08:00',
    startDate: '2090-01-01',
  },
  doses: { takenAt: CREATED, name: 'A', amount: '1', unit: 'mg' },
  nutrition: { id: 'meal_01234567', createdAt: CREATED, date: '2090-01-01', calories: '2000' },
  sideEffects: { id: 'fx_01234567', createdAt: CREATED, name: 'A', severity: '2', startedAt: CREATED },
  injectionSites: { id: 'site_01234567', createdAt: CREATED, site: 'deltoid-left', takenAt: CREATED },
  measurements: {
    id: 'health_01234567',
    createdAt: CREATED,
    metric: 'weight',
    measuredAt: CREATED,
    value: '80',
    unit: 'kg',
  },
} as const;

describe('importing a tracked row', () => {
  it.each(Object.entries(ROWS))('of %s accepts the fewest cells that it needs', (type, cells) => {
    expect(readRow({ type: type as keyof typeof ROWS, line: 2, cells }, SETTING)).toHaveProperty('record');
  });

  it.each([
    ['schedules', { id: 'x' }, 'id: This is not the id of a schedule'],
    ['schedules', { nextDoseDate: 'x' }, 'nextDoseDate: This is not a date and time'],
    ['schedules', { isActive: 'maybe' }, 'isActive: Enter true or false'],
    ['schedules', { frequency: 'hourly' }, 'frequency: Choose how often'],
    ['schedules', { frequency: 'interval' }, 'everyDays: Enter a whole number of days from 1 to 365'],
    ['schedules', { times: '25:00' }, 'times: Enter each time as HH:MM, from 00:00 to 23:59'],
    ['schedules', { rampStart: '1' }, /^rampStep: .*rampEveryWeeks: .*rampTarget: /],
    ['schedules', { doseAmount: '101' }, 'doseAmount: A dose can be at most 100 mg'],
    ['nutrition', { date: '2090-06-05' }, 'date: Enter a date as YYYY-MM-DD, today or earlier'],
    ['nutrition', { calories: '-1' }, 'calories: Calories must be a number from 0 to 20000'],
    ['doses', { id: 'sched_01234567' }, 'id: This is not the id of a dose'],
    ['sideEffects', { startedAt: 'x' }, 'startedAt: Enter a date and time'],
    ['sideEffects', { startedAt: '2091-01-01T00:00:00Z' }, 'startedAt: The time cannot be in the future'],
    ['sideEffects', { resolvedDate: '2089-01-01' }, 'resolvedDate: The end cannot be before the start'],
    ['sideEffects', { severity: '6' }, 'severity: Severity must be a whole number from 1 to 5'],
    ['injectionSites', { site: 'nose' }, 'site: Choose one of the listed sites'],
    ['injectionSites', { doseId: '{"$gt":""}' }, 'doseId: This is not the id of a dose'],
    ['injectionSites', { createdAt: 'x' }, 'createdAt: This is not a date and time'],
    ['measurements', { metric: 'height' }, 'metric: Choose one of the measures'],
    ['measurements', { metric: '__proto__' }, 'metric: Choose one of the measures'],
    ['measurements', { unit: 'st' }, 'unit: Choose a unit of this measure'],
    ['measurements', { value: '701' }, 'value: Weight must be from 1 to 700 kg, not 701 kg'],
    ['measurements', { value: '1e3' }, 'value: Enter a number'],
    ['measurements', { measuredAt: '2090-06-05T00:00:00Z' }, 'measuredAt: The time cannot be in the future'],
    ['measurements', { measuredAt: 'today' }, /^measuredAt: /],
    ['measurements', { id: 'site_01234567' }, 'id: This is not the id of a measurement'],
  ] as const)('of %s with %j: %s', (type, wrong, reason) => {
    const cells = { ...ROWS[type], ...wrong };
    const read = readRow({ type, line: 2, cells }, SETTING);
    expect(read).toEqual({
      reason: typeof reason === 'string' ? reason : (expect.stringMatching(reason) as unknown),
    });
  });

  it('of a nutrition day refuses one without values', () => {
    const { calories: _, ...cells } = ROWS.nutrition;
    expect(readRow({ type: 'nutrition', line: 2, cells }, SETTING)).toEqual({
      reason: 'Enter at least one value',
    });
  });
});
