import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECORD_TYPES } from '#app/domain/records/record-types.ts';
import { SCHEDULES, type ExportedSchedule } from '#app/domain/records/schedules.ts';
import { anyRule, rule } from '#tests/support/schedules.ts';

const exported = (more: Partial<ExportedSchedule> = {}): ExportedSchedule => ({
  ...rule(),
  id: 'sched_1',
  createdAt: new Date('2026-03-01T08:00:00Z'),
  name: 'BPC-157',
  compoundId: null,
  route: null,
  reminderLeadMinutes: 15,
  isActive: true,
  nextDoseDate: null,
  lastDoseDate: null,
  notes: null,
  ...more,
});

const named = (schedule: ExportedSchedule) => {
  const cells = SCHEDULES.cells(schedule);
  return Object.fromEntries(RECORD_TYPES.schedules.columns.map(({ name }, index) => [name, cells[index]]));
};

describe('the exported row of a schedule', () => {
  it('has a cell for each column', () => {
    fc.assert(
      fc.property(anyRule, (any) => {
        expect(SCHEDULES.cells(exported(any))).toHaveLength(RECORD_TYPES.schedules.columns.length);
      }),
    );
  });

  it('has the fields of its frequency and no others', () => {
    expect(
      named(exported({ frequency: { kind: 'cycle', on: 5, off: 2 }, times: ['08:00', '20:00'] })),
    ).toMatchObject({
      frequency: 'cycle',
      daysOn: '5',
      daysOff: '2',
      everyDays: null,
      weekdays: null,
      times: '08:00 20:00',
      rampStart: null,
      weeksOn: null,
      isActive: 'true',
    });
    const ramp = { start: '1', step: '-0.25', everyWeeks: 2, target: '0.5' };
    const course = { weeksOn: 8, weeksOff: 4 };
    expect(
      named(exported({ frequency: { kind: 'weekdays', weekdays: ['mon', 'fri'] }, ramp, course })),
    ).toMatchObject({
      weekdays: 'mon fri',
      rampStep: '-0.25',
      rampEveryWeeks: '2',
      weeksOff: '4',
    });
  });
});
