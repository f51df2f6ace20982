import { componentsText } from '#app/domain/calculator/components.ts';
import type { Blend } from '#app/domain/vials/contents.ts';
import { frequencyText } from '#app/domain/schedules/describe-schedule.ts';
import { WEEKDAYS, type ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { readSwaps, swapsCell } from '#app/domain/schedules/plan-change-schema.ts';
import { pausesText, readPauses, movesText, readMoves } from '#app/domain/schedules/plan-changes.ts';
import { zoneName } from '#app/domain/time/zoned-time.ts';
import type * as z from 'zod';
import { valueAt } from '#app/domain/schedules/schedule-form-schema.ts';
import {
  scheduleDetails,
  scheduleSchema,
  type GroupField,
  type ScheduleDetails,
} from '#app/domain/schedules/schedule-schema.ts';
import {
  cellsOf,
  columnsWith,
  fixed,
  number,
  text,
  type ExportableType,
  type ExportCells,
  type ImportCells,
  type ImportSetting,
  type ReadRow,
  NOT_AN_INSTANT,
  readIdentity,
  readInstant,
  reasonOf,
} from './record-type.ts';

const ID_PREFIX = 'sched';

const COLUMNS = columnsWith(
  [
    fixed('id'),
    fixed('createdAt'),
    text('name'),
    fixed('compoundId'),
    number('doseAmount'),
    fixed('doseUnit'),
    fixed('frequency'),
    fixed('weekdays'),
    number('everyDays'),
    number('daysOn'),
    number('daysOff'),
    fixed('monthDay'),
    number('everyHours'),
    number('minGapHours'),
    number('maxPerDay'),
    fixed('firstDueAt'),
    fixed('times'),
    fixed('timeZone'),
    fixed('startDate'),
    fixed('endDate'),
    number('rampStart'),
    number('rampStep'),
    number('rampEveryWeeks'),
    number('rampTarget'),
    number('weeksOn'),
    number('weeksOff'),
    fixed('moves'),
    fixed('pauses'),
    text('swaps'),
    text('route'),
    number('reminderLeadMinutes'),
    fixed('isActive'),
    fixed('nextDoseDate'),
    fixed('lastDoseDate'),
    text('notes'),
    text('components'),
    text('doseOf'),
    fixed('endsWithVial'),
    fixed('stopsAt'),
  ],
  Object.keys(scheduleDetails).map(text),
);

export const SCHEDULES: ExportableType<ExportedSchedule> = {
  idPrefix: ID_PREFIX,
  columns: COLUMNS,
  printColumns: [
    { heading: 'Name', source: 'name', width: 18, align: 'left', show: withDoseOf },
    { heading: 'Dose', source: 'doseAmount', width: 8, align: 'right' },
    { heading: 'Unit', source: 'doseUnit', width: 6, align: 'left' },
    { heading: 'How often', source: 'frequency', width: 18, align: 'left', show: frequencyWords },
    {
      heading: 'Times',
      source: 'times',
      width: 12,
      align: 'left',
      show: (times) => times.replaceAll(' ', ', '),
    },
    { heading: 'Zone', source: 'timeZone', width: 13, align: 'left', show: zoneName },
    { heading: 'First day', source: 'startDate', width: 10, align: 'left' },
    { heading: 'Last day', source: 'endDate', width: 10, align: 'left' },
    { heading: 'Notes', source: 'notes', width: 20, align: 'left' },
  ],
  cells: scheduleCells,
  read: readSchedule,
};

/** "BPC-157 + TB-500 (dose of TB-500)" for a plan of a blend. */
export function withDoseOf(name: string, of: (column: string) => string): string {
  return of('doseOf') === '' ? name : `${name} (dose of ${of('doseOf')})`;
}

/** The columns of a frequency as words: "Monday, Wednesday and Sunday". */
function frequencyWords(kind: string, of: (column: string) => string): string {
  const chosen = of('weekdays').split(' ');
  switch (kind) {
    case 'weekdays':
      return frequencyText({ kind, weekdays: WEEKDAYS.filter((day) => chosen.includes(day)) });
    case 'interval':
      return frequencyText({ kind, every: Number(of('everyDays')) });
    case 'cycle':
      return frequencyText({ kind, on: Number(of('daysOn')), off: Number(of('daysOff')) });
    case 'after-last':
      return frequencyText({ kind, everyHours: Number(of('everyHours')) });
    case 'as-needed':
      return frequencyText({
        kind,
        minGapHours: countOrNone(of('minGapHours')),
        maxPerDay: countOrNone(of('maxPerDay')),
      });
    case 'monthly':
      return frequencyText({ kind, day: of('monthDay') === 'last' ? 'last' : Number(of('monthDay')) });
    default:
      return frequencyText({ kind: kind === 'once' ? 'once' : 'daily' });
  }
}

const countOrNone = (text: string) => (text === '' ? undefined : Number(text));

/** The exported part of a schedule. */
export interface ExportedSchedule extends ScheduleRule, ScheduleDetails {
  id: string;
  createdAt: Date;
  name: string;
  compoundId: string | null;
  blend?: Blend | null;
  reminderLeadMinutes: number;
  isActive: boolean;
  nextDoseDate: Date | null;
  lastDoseDate: Date | null;
}

/** The columns of fields that stand in a group. */
const GROUP_COLUMNS: Readonly<Record<GroupField, string>> = {
  'frequency.kind': 'frequency',
  'frequency.weekdays': 'weekdays',
  'frequency.every': 'everyDays',
  'frequency.on': 'daysOn',
  'frequency.off': 'daysOff',
  'frequency.day': 'monthDay',
  'frequency.everyHours': 'everyHours',
  'frequency.minGapHours': 'minGapHours',
  'frequency.maxPerDay': 'maxPerDay',
  'ramp.start': 'rampStart',
  'ramp.step': 'rampStep',
  'ramp.everyWeeks': 'rampEveryWeeks',
  'ramp.target': 'rampTarget',
  'course.weeksOn': 'weeksOn',
  'course.weeksOff': 'weeksOff',
};

const GROUPED = Object.entries(GROUP_COLUMNS);

/** The row of a schedule. Doses are decimal text in its unit; a list is one cell, separated by spaces. */
function scheduleCells({
  frequency,
  ramp,
  course,
  times,
  blend,
  ...schedule
}: ExportedSchedule): ExportCells {
  const groups = { frequency, ramp, course };
  const cells = GROUPED.map(([field, column]) => {
    const value = valueAt(groups, field) as string | number | readonly string[] | null | undefined;
    return [column, typeof value === 'object' ? value?.join(' ') : value] as const;
  });
  return cellsOf(COLUMNS, {
    ...schedule,
    ...Object.fromEntries(cells),
    times: times.join(' ') || null,
    moves: movesText(schedule.moves) || null,
    pauses: pausesText(schedule.pauses) || null,
    swaps: swapsCell(schedule.swaps) || null,
    components: blend ? componentsText(blend.components) : null,
    doseOf: blend?.doseOf,
    endsWithVial: schedule.endsWithVial === true ? 'true' : null,
  });
}

const listed = (cell: string | undefined) => cell?.split(' ');

/** The cells as the fields that a form or an API call would send. */
function fieldsOf(cells: ImportCells, timeZone: string): object {
  const groups: Record<string, Record<string, unknown>> = { frequency: {}, ramp: {}, course: {} };
  for (const [field, column] of GROUPED) {
    const [group = '', name = ''] = field.split('.');
    Object.assign(groups[group] ?? {}, {
      [name]: name === 'weekdays' ? listed(cells[column]) : cells[column],
    });
  }
  const { reminderLeadMinutes = '0' } = cells;
  return {
    ...cells,
    ...groups,
    times: listed(cells['times']),
    reminderLeadMinutes,
    timeZone: cells['timeZone'] ?? timeZone,
  };
}

const renamed = (issue: z.core.$ZodIssue): z.core.$ZodIssue => {
  const field = issue.path.filter((part) => typeof part === 'string').join('.');
  const columns: Readonly<Record<string, string>> = GROUP_COLUMNS;
  return { ...issue, path: [columns[field] ?? field] };
};

/** An instant that may be missing. */
const orNone = (cell: string | undefined): Date | null => (cell === undefined ? null : readInstant(cell));

const INSTANTS = ['nextDoseDate', 'lastDoseDate', 'stopsAt'] as const;

function problemOf(cells: ImportCells): string | null {
  const wrong = INSTANTS.find((name) => cells[name] !== undefined && readInstant(cells[name]) === null);
  if (wrong !== undefined) return `${wrong}: ${NOT_AN_INSTANT}`;
  if (readMoves(cells['moves'] ?? '') === null) return 'moves: These are not valid dose moves';
  if (readPauses(cells['pauses'] ?? '') === null) return 'pauses: These are not valid pauses';
  if (readSwaps(cells['swaps'] ?? '') === null) return 'swaps: These are not valid schedule changes';
  return ['true', 'false'].includes(cells['isActive'] ?? 'true') ? null : 'isActive: Enter true or false';
}

/** A schedule from a row of an export, with its state when it was exported. */
function readSchedule(cells: ImportCells, { timeZone }: ImportSetting): ReadRow {
  const identity = readIdentity(cells, ID_PREFIX, 'a schedule');
  if (typeof identity === 'string') return { reason: identity };
  const problem = problemOf(cells);
  if (problem !== null) return { reason: problem };
  const parsed = scheduleSchema.safeParse(fieldsOf(cells, timeZone));
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues.map(renamed)) };
  const { saveKey: _saveKey, ...fields } = parsed.data;
  const moves = readMoves(cells['moves'] ?? '') ?? [];
  const pauses = readPauses(cells['pauses'] ?? '') ?? [];
  const swaps = readSwaps(cells['swaps'] ?? '') ?? [];
  const stopsAt = orNone(cells['stopsAt']);
  return {
    record: {
      type: 'schedules',
      ...identity,
      fields,
      isActive: cells['isActive'] !== 'false',
      nextDoseDate: orNone(cells['nextDoseDate']),
      lastDoseDate: orNone(cells['lastDoseDate']),
      ...(moves.length > 0 && { moves }),
      ...(pauses.length > 0 && { pauses }),
      ...(swaps.length > 0 && { swaps }),
      ...(stopsAt !== null && { stopsAt }),
    },
  };
}
