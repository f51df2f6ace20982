import type * as z from 'zod';
import { scheduleSchema } from '#app/domain/schedules/schedule-schema.ts';
import { isIdOf, readInstant, reasonOf } from './row-values.ts';
import type { ImportCells, ImportSetting, ReadRow } from './import-types.ts';

/** The columns behind the fields of a schedule that have another name in a table. */
const COLUMNS: Readonly<Record<string, string>> = {
  'frequency.kind': 'frequency',
  'frequency.weekdays': 'weekdays',
  'frequency.every': 'everyDays',
  'frequency.on': 'daysOn',
  'frequency.off': 'daysOff',
  'ramp.start': 'rampStart',
  'ramp.step': 'rampStep',
  'ramp.everyWeeks': 'rampEveryWeeks',
  'ramp.target': 'rampTarget',
  'course.weeksOn': 'weeksOn',
  'course.weeksOff': 'weeksOff',
};

const listed = (cell: string | undefined) => cell?.split(' ');

/** The cells as the fields that a form or a call would have sent. */
function fieldsOf(cells: ImportCells, timeZone: string): object {
  const frequency = {
    kind: cells['frequency'],
    weekdays: listed(cells['weekdays']),
    every: cells['everyDays'],
    on: cells['daysOn'],
    off: cells['daysOff'],
  };
  const ramp = {
    start: cells['rampStart'],
    step: cells['rampStep'],
    everyWeeks: cells['rampEveryWeeks'],
    target: cells['rampTarget'],
  };
  const course = { weeksOn: cells['weeksOn'], weeksOff: cells['weeksOff'] };
  const { name, compoundId, doseAmount, doseUnit, startDate, endDate, route, reminderLeadMinutes, notes } =
    cells;
  const plain = { name, compoundId, doseAmount, doseUnit, startDate, endDate, route, notes };
  const times = listed(cells['times']);
  const nested = { frequency, ramp, course, times, reminderLeadMinutes: reminderLeadMinutes ?? '0' };
  return { ...plain, ...nested, timeZone: cells['timeZone'] ?? timeZone };
}

const renamed = (issue: z.core.$ZodIssue): z.core.$ZodIssue => {
  const field = issue.path.filter((part) => typeof part === 'string').join('.');
  return { ...issue, path: [COLUMNS[field] ?? field] };
};

/** An instant that may be missing. */
const orNone = (cell: string | undefined): Date | null => (cell === undefined ? null : readInstant(cell));

const INSTANTS = ['nextDoseDate', 'lastDoseDate'] as const;

function problemOf(cells: ImportCells): string | null {
  if (!isIdOf('sched_', cells['id'])) return 'id: This is no id of a schedule';
  if (readInstant(cells['createdAt']) === null) return 'createdAt: This is no date and time';
  const wrong = INSTANTS.find((name) => cells[name] !== undefined && readInstant(cells[name]) === null);
  if (wrong !== undefined) return `${wrong}: This is no date and time`;
  return ['true', 'false'].includes(cells['isActive'] ?? 'true') ? null : 'isActive: Enter true or false';
}

/** A schedule from a row of an export, with what had become of it. */
export function readSchedule(cells: ImportCells, { timeZone }: ImportSetting): ReadRow {
  const problem = problemOf(cells);
  if (problem !== null) return { reason: problem };
  const parsed = scheduleSchema.safeParse(fieldsOf(cells, timeZone));
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues.map(renamed)) };
  const { saveKey: _press, ...fields } = parsed.data;
  return {
    record: {
      type: 'schedules',
      id: cells['id'] ?? '',
      createdAt: readInstant(cells['createdAt']) ?? new Date(0),
      fields,
      isActive: cells['isActive'] !== 'false',
      nextDoseDate: orNone(cells['nextDoseDate']),
      lastDoseDate: orNone(cells['lastDoseDate']),
    },
  };
}
