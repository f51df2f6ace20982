import type { ScheduleRule } from '#app/domain/schedules/schedule-types.ts';
import type { ExportCells } from './export-columns.ts';

/** What an export takes of a schedule. */
export interface ExportedSchedule extends ScheduleRule {
  id: string;
  createdAt: Date;
  name: string;
  compoundId: string | null;
  route: string | null;
  reminderLeadMinutes: number;
  isActive: boolean;
  nextDoseDate: Date | null;
  lastDoseDate: Date | null;
  notes: string | null;
}

const count = (value: number | undefined) => (value === undefined ? null : String(value));

/** The row of a schedule. Doses are decimal text in its unit; lists stand in one cell, parted by blanks. */
export function scheduleCells(schedule: ExportedSchedule): ExportCells {
  const { frequency, ramp, course } = schedule;
  return [
    schedule.id,
    schedule.createdAt.toISOString(),
    schedule.name,
    schedule.compoundId,
    schedule.doseAmount,
    schedule.doseUnit,
    frequency.kind,
    frequency.kind === 'weekdays' ? frequency.weekdays.join(' ') : null,
    frequency.kind === 'interval' ? count(frequency.every) : null,
    frequency.kind === 'cycle' ? count(frequency.on) : null,
    frequency.kind === 'cycle' ? count(frequency.off) : null,
    schedule.times.join(' '),
    schedule.timeZone,
    schedule.startDate,
    schedule.endDate,
    ramp?.start ?? null,
    ramp?.step ?? null,
    count(ramp?.everyWeeks),
    ramp?.target ?? null,
    count(course?.weeksOn),
    count(course?.weeksOff),
    schedule.route,
    String(schedule.reminderLeadMinutes),
    String(schedule.isActive),
    schedule.nextDoseDate?.toISOString() ?? null,
    schedule.lastDoseDate?.toISOString() ?? null,
    schedule.notes,
  ];
}
