import * as z from 'zod';
import { DOSE_UNITS } from '#app/domain/calculator/calculation.ts';
import { FREQUENCY_KINDS, WEEKDAYS, type Course, type Ramp } from '#app/domain/schedules/schedule-rule.ts';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  pageOfSchedules,
  previewSchedule,
  toggleSchedule,
  updateSchedule,
  beginAgain,
  previewAgain,
} from './schedules.server.ts';
import {
  day,
  instant,
  named,
  idParams,
  decimal,
  pageQuery,
  wholeOrText,
  cursorPageShape,
  cursorQuery,
  updatedQuery,
  textShapes,
  dayText,
  momentText,
  textUpTo,
} from '#app/platform/api/shapes.ts';
import { scheduleAnswer, swappedDoseAnswer } from '#app/domain/schedules/schedule-answer.ts';
import { PAUSE_MESSAGES } from '#app/domain/schedules/plan-changes.ts';
import { AppError } from '#app/domain/errors.ts';
import { fieldErrors, MAX_ID_LENGTH, MAX_ZONE_LENGTH, parseInput } from '#app/domain/forms/fields.ts';
import { MAX_NAME_LENGTH, MAX_NOTES_LENGTH } from '#app/domain/forms/text-fields.ts';
import { MAX_DOSE } from '#app/domain/units/quantity.ts';
import { TIME_OF_DAY } from '#app/domain/time/calendar.ts';
import { MAX_VIAL_MG } from '#app/domain/vials/vial-fields.ts';
import { MAX_ROUTE_LENGTH } from '#app/domain/schedules/schedule-schema.ts';
import { pauseSchema } from '#app/domain/schedules/pause-schema.ts';
import {
  confirmPlanSchema,
  MAX_WEEKS,
  SCHEDULE_MESSAGES,
  scheduleDetails,
  scheduleSchema,
  type FrequencyField,
  type ScheduleFields,
  toggleSchema,
} from '#app/domain/schedules/schedule-schema.ts';
import { operation, Reply, type ValuesAbout } from '#app/platform/api/operation.ts';
import {
  AGAIN_MESSAGES,
  type BeginAgainInput,
  beginAgainSchema,
  previewSchema,
  SWAP_MESSAGES,
  swapSchema,
  type SwapInput,
} from '#app/domain/schedules/plan-change-schema.ts';
import { endPause, previewSwap, savePause, swapSchedule, undoSwap } from './plan-changes.server.ts';

const CONFIRMATION =
  'An unusual amount returns 409 CONFIRM_DOSE with its `warnings`; send it again with `confirm: true` to save it.';

/** Checks the values of a whole schedule. @throws AppError INVALID_INPUT */
function checkSchedule(body: Record<string, unknown>): void {
  parseInput(scheduleSchema, body);
  parseInput(confirmPlanSchema, body);
}

/** Checks the changed values of a schedule; the others stay as they are. @throws AppError INVALID_INPUT */
function checkScheduleChanges(body: Record<string, unknown>, { resource }: ValuesAbout): void {
  parseInput(confirmPlanSchema, body);
  const checked = scheduleSchema.safeParse({ ...resource, ...body });
  const issues =
    checked.error?.issues.filter(({ path: [field] }) => Object.hasOwn(body, String(field))) ?? [];
  const [first] = issues;
  if (first !== undefined)
    throw new AppError('INVALID_INPUT', first.message, { fields: fieldErrors(issues) });
}

const orNone = <S extends z.ZodType>(schema: S) => schema.nullable().optional();

const frequencyShape = z.object({
  kind: z.enum(FREQUENCY_KINDS),
  weekdays: z.array(z.enum(WEEKDAYS)).optional().describe('For kind "weekdays"'),
  every: z.int().optional().describe('For kind "interval": days between doses, counted from startDate'),
  on: z.int().optional().describe('For kind "cycle": days on, starting at startDate'),
  off: z.int().optional().describe('For kind "cycle": days off'),
  day: z
    .union([z.int(), z.literal('last')])
    .optional()
    .describe('For kind "monthly": 1 to 31, or "last"; shorter months use their last day'),
  everyHours: z
    .int()
    .optional()
    .describe('For kind "after-last": hours after the last dose taken, 1 to 8,760'),
  minGapHours: z
    .int()
    .optional()
    .describe('For kind "as-needed": hours between doses, 1 to 8,760; a dose sooner than that warns'),
  maxPerDay: z.int().optional().describe('For kind "as-needed": doses a day, 1 to 24; more than that warns'),
});

const bodyDetails = {
  route: orNone(textUpTo(MAX_ROUTE_LENGTH)),
  notes: orNone(textUpTo(MAX_NOTES_LENGTH)),
} satisfies Record<keyof typeof scheduleDetails, z.ZodType>;

/** Of a dose in any unit: the most of mg is less. */
const dose = decimal({ above: 0, most: MAX_DOSE.IU });

const optionalFields = {
  compoundId: orNone(textUpTo(MAX_ID_LENGTH)).describe(
    'Vial to draw from first; for a blend it sets the components',
  ),
  endsWithVial: orNone(z.boolean()).describe(
    'Ends the schedule when that vial is empty or discarded; undoing the last dose or correcting the vial resumes it. Defaults to false',
  ),
  components: orNone(
    z.array(
      named(
        'PlannedComponent',
        z.object({
          name: textUpTo(MAX_NAME_LENGTH),
          amount: decimal({ above: 0, most: MAX_VIAL_MG }).describe('mg'),
        }),
      ),
    ),
  ).describe(
    'What the vial holds, for a blend when no vial is named; the amounts set the ratio of the doses',
  ),
  doseOf: orNone(textUpTo(MAX_NAME_LENGTH)).describe(
    'For a blend: the component the dose is measured in; defaults to the one with the schedule’s name, otherwise the first',
  ),
  timeZone: orNone(textUpTo(MAX_ZONE_LENGTH)).describe('IANA name; defaults to your own time zone'),
  endDate: orNone(dayText).describe('Last day, inclusive'),
  ...bodyDetails,
  reminderLeadMinutes: orNone(wholeOrText(0, 120)).describe(
    'Minutes of notice; defaults to your notification settings',
  ),
  ramp: orNone(
    z.object({
      start: dose.describe('First dose, in doseUnit'),
      step: decimal({ from: -MAX_DOSE.IU, most: MAX_DOSE.IU }).describe(
        'Change per step, negative if the dose goes down',
      ),
      everyWeeks: wholeOrText(1, MAX_WEEKS),
      target: dose.describe('Final dose'),
    } satisfies Record<keyof Ramp, z.ZodType>),
  ).describe('Replaces doseAmount'),
  course: orNone(
    z.object({ weeksOn: wholeOrText(1, MAX_WEEKS), weeksOff: wholeOrText(1, MAX_WEEKS) } satisfies Record<
      keyof Course,
      z.ZodType
    >),
  ),
};

const confirm = z.boolean().optional().describe('Save an unusual amount anyway, after CONFIRM_DOSE');
const preview = previewSchema.shape.preview.describe('Only report what would change');

/** The body of a new schedule. The operation checks its values, so that the messages are those of the form. */
const newScheduleBody = z.object({
  name: textUpTo(MAX_NAME_LENGTH),
  doseAmount: orNone(dose).describe('In doseUnit, above 0 and at most 100 mg; required without a ramp'),
  doseUnit: z.enum(DOSE_UNITS),
  frequency: named(
    'NewFrequency',
    z.object({
      kind: z.enum(FREQUENCY_KINDS),
      weekdays: orNone(z.array(z.enum(WEEKDAYS))),
      every: orNone(wholeOrText(1, 365)),
      on: orNone(wholeOrText(1, 365)),
      off: orNone(wholeOrText(1, 365)),
      day: orNone(z.union([z.int().meta({ minimum: 1, maximum: 31 }), z.literal('last')])),
      everyHours: orNone(wholeOrText(1, 8760)),
      minGapHours: orNone(wholeOrText(1, 8760)),
      maxPerDay: orNone(wholeOrText(1, 24)),
    } satisfies Record<FrequencyField, z.ZodType>),
  ),
  times: orNone(z.array(z.string().meta({ pattern: TIME_OF_DAY.source }))).describe(
    'In the time zone, 1 to 24 times; none for kinds "after-last" and "as-needed"',
  ),
  startDate: orNone(dayText).describe(
    'First day; not needed for kind "after-last", which starts on the day of firstDueAt, and for kind "as-needed", which starts today',
  ),
  firstDueAt: orNone(momentText).describe(
    'For kind "after-last": when the first dose is due; defaults to now',
  ),
  ...optionalFields,
} satisfies Record<Exclude<keyof ScheduleFields, 'saveKey'>, z.ZodType>);

const scheduleChangesBody = newScheduleBody.partial().extend({ confirm });

const blendShape = {
  components: z
    .array(z.object({ name: z.string(), amount: z.number() }))
    .describe('For a blend, in mg; empty for a single peptide'),
  doseOf: z.string().nullable().describe('For a blend: the component the dose is measured in'),
};

const scheduleShape = named(
  'Schedule',
  z.object({
    id: z.string(),
    name: z.string(),
    compoundId: z.string().nullable(),
    endsWithVial: z.boolean().describe('Whether it ends when its vial is empty or discarded'),
    stopsAt: instant.nullable().describe('When it ended with its vial; null until then'),
    ...blendShape,
    doseAmount: z.number().describe('In doseUnit; the first dose of a ramp'),
    doseUnit: z.enum(DOSE_UNITS),
    frequency: frequencyShape,
    times: z.array(z.string()).describe('Empty for kinds "after-last" and "as-needed"'),
    firstDueAt: instant.nullable().describe('For kind "after-last": when its first dose is due'),
    timeZone: z.string(),
    startDate: day,
    endDate: day.nullable(),
    ...textShapes(scheduleDetails),
    reminderLeadMinutes: z.int(),
    ramp: z
      .object({ start: z.number(), step: z.number(), everyWeeks: z.int(), target: z.number() })
      .nullable(),
    course: z.object({ weeksOn: z.int(), weeksOff: z.int() }).nullable(),
    pauses: z
      .array(z.object({ firstDay: day, lastDay: day }))
      .describe('Planned pauses, including past ones'),
    swaps: z
      .array(
        z.object({
          id: z.string(),
          fromDay: day,
          name: z.string(),
          compoundId: z.string().nullable(),
          doseAmount: z.number().nullable().describe('Null if the schedule’s own dose still applies'),
        }),
      )
      .describe('Changes of compound, vial or dose from a day on; name, vial and dose above are today’s'),
    isActive: z.boolean(),
    nextDoseDate: instant.nullable().describe('Null when paused or ended'),
    lastDoseDate: instant.nullable().describe('When the last dose was taken'),
    createdAt: instant,
    updatedAt: instant,
  }),
);

/** The schedule in the API document's examples. */
const EXAMPLE_SCHEDULE = {
  id: 'sched_674051b0a1b2c3d4e5f60718',
  name: 'BPC-157',
  compoundId: null,
  endsWithVial: false,
  stopsAt: null,
  components: [],
  doseOf: null,
  doseAmount: 0.25,
  doseUnit: 'mg',
  frequency: { kind: 'daily' },
  times: ['08:00'],
  firstDueAt: null,
  timeZone: 'Europe/Berlin',
  startDate: '2026-11-22',
  endDate: null,
  route: 'Subcutaneous',
  reminderLeadMinutes: 15,
  notes: null,
  ramp: null,
  course: null,
  pauses: [],
  swaps: [],
  isActive: true,
  nextDoseDate: '2026-11-23T07:00:00.000Z',
  lastDoseDate: null,
  createdAt: '2026-11-22T08:00:00.000Z',
  updatedAt: '2026-11-22T08:00:00.000Z',
};

/** The body in the API document's examples. */
const EXAMPLE_SCHEDULE_BODY = {
  name: 'BPC-157',
  doseAmount: 0.25,
  doseUnit: 'mg',
  frequency: { kind: 'daily' },
  times: ['08:00'],
  timeZone: 'Europe/Berlin',
  startDate: '2026-11-22',
};

const tag = 'Schedules';
const oneSchedule = z.object({ schedule: scheduleShape });
const EXAMPLE_DATA = { schedule: EXAMPLE_SCHEDULE };

const listSchedulesCall = operation({
  id: 'listSchedules',
  method: 'GET',
  path: '/api/schedules',
  tag,
  summary: 'List schedules, newest first',
  description: 'Includes paused and ended ones; `isActive` and `nextDoseDate` tell them apart.',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery, ...updatedQuery }),
  response: z.object({ schedules: z.array(scheduleShape), ...cursorPageShape }),
  example: { data: { schedules: [EXAMPLE_SCHEDULE], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfSchedules(ctx, query);
    return { schedules: items.map(scheduleAnswer), ...paging };
  },
});

const createScheduleCall = operation({
  id: 'createSchedule',
  method: 'POST',
  path: '/api/schedules',
  tag,
  summary: 'Create a schedule',
  description:
    'Its doses for the next 35 days are created in the same request. Times are local to its time zone: 08:00 stays 08:00. ' +
    'A time skipped by a clock change moves forward by the gap; for a time that occurs twice, the first one counts.',
  confirmation: CONFIRMATION,
  access: 'premium',
  creates: '/api/schedules/{schedule.id}',
  body: newScheduleBody.extend({ confirm }),
  checkValues: checkSchedule,
  response: oneSchedule,
  example: { body: EXAMPLE_SCHEDULE_BODY, data: EXAMPLE_DATA },
  errors: ['PLAN_LIMIT', 'CONFIRM_DOSE'],
  async run(ctx, { body }) {
    const schedule = scheduleAnswer(await createSchedule(ctx, body));
    return new Reply({ schedule }, { message: SCHEDULE_MESSAGES.created });
  },
});

const previewScheduleCall = operation({
  id: 'previewSchedule',
  method: 'POST',
  path: '/api/schedules/preview',
  tag,
  summary: 'Preview the first 14 doses of a schedule',
  description:
    'Takes the body of a new schedule, counts from its start date and saves nothing. For kind "after-last", each dose ' +
    'assumes that the one before it is taken when due; kind "as-needed" has none.',
  access: 'premium',
  scope: 'read',
  body: newScheduleBody,
  checkValues: checkSchedule,
  response: z.object({
    doses: z.array(
      z.object({
        dueDate: instant,
        localDay: day.describe('Calendar day in the schedule’s time zone'),
        wallTime: z.string().describe('HH:MM as set in the schedule'),
        doseAmount: z.number().describe('In the schedule’s unit'),
      }),
    ),
    endsAbout: day
      .nullable()
      .describe('With endsWithVial: the day the vial will probably be used up; null if unknown'),
  }),
  example: {
    body: EXAMPLE_SCHEDULE_BODY,
    data: {
      doses: [
        { dueDate: '2026-11-22T07:00:00.000Z', localDay: '2026-11-22', wallTime: '08:00', doseAmount: 0.25 },
      ],
      endsAbout: null,
    },
  },
  async run(ctx, { body }) {
    const { doses, endsAbout } = await previewSchedule(ctx, body);
    return { doses: doses.map((dose) => ({ ...dose, doseAmount: Number(dose.doseAmount) })), endsAbout };
  },
});

const getScheduleCall = operation({
  id: 'getSchedule',
  method: 'GET',
  path: '/api/schedules/{id}',
  tag,
  summary: 'One schedule',
  description: 'The schedule as it is today; `GET /api/schedules/doses` lists its doses.',
  access: 'premium',
  params: idParams,
  response: oneSchedule,
  example: { data: EXAMPLE_DATA },
  run: async (ctx, { params }) => ({ schedule: scheduleAnswer(await getSchedule(ctx, params.id)) }),
});

const updateScheduleCall = operation({
  id: 'updateSchedule',
  method: 'PUT',
  path: '/api/schedules/{id}',
  tag,
  summary: 'Update a schedule',
  description:
    'Only the given fields change. Past and logged doses stay; future pending doses are recreated.',
  confirmation: CONFIRMATION,
  access: 'premium',
  params: idParams,
  body: scheduleChangesBody,
  checkValues: checkScheduleChanges,
  response: oneSchedule,
  errors: ['CONFIRM_DOSE'],
  example: { body: { times: ['08:00', '20:00'] }, data: EXAMPLE_DATA },
  async run(ctx, { params, body }) {
    const schedule = scheduleAnswer(await updateSchedule(ctx, params.id, body));
    return new Reply({ schedule }, { message: SCHEDULE_MESSAGES.updated });
  },
});

const toggleScheduleCall = operation({
  id: 'toggleSchedule',
  method: 'PATCH',
  path: '/api/schedules/{id}/toggle',
  tag,
  summary: 'Pause or resume a schedule',
  description: 'Pausing removes its future pending doses; resuming recreates them.',
  access: 'premium',
  params: idParams,
  body: toggleSchema,
  response: oneSchedule,
  example: { body: { isActive: false }, data: EXAMPLE_DATA },
  async run(ctx, { params, body }) {
    const view = await toggleSchedule(ctx, params.id, body);
    const message = view.isActive ? SCHEDULE_MESSAGES.activated : SCHEDULE_MESSAGES.paused;
    return new Reply({ schedule: scheduleAnswer(view) }, { message });
  },
});

const firstDayParams = idParams.extend({
  firstDay: dayText.describe('First day of the pause'),
});

const savePauseCall = operation({
  id: 'savePause',
  method: 'PATCH',
  path: '/api/schedules/{id}/pauses/{firstDay}',
  tag,
  summary: 'Plan or change a pause with dates',
  description:
    'No doses are due from the first day to the last, both included, in the schedule’s time zone; then it resumes by ' +
    'itself. Changes the pause that begins on the `firstDay` in the path, or adds one. Pending doses on these days are ' +
    'removed; logged ones stay. The first day of a pause that has begun can’t change.',
  access: 'premium',
  params: firstDayParams,
  body: z.object({
    firstDay: orNone(dayText).describe('A new first day; defaults to the one in the path'),
    lastDay: dayText,
  }),
  checkValues(body, { params }) {
    parseInput(pauseSchema, { firstDay: body['firstDay'] ?? params['firstDay'], lastDay: body['lastDay'] });
  },
  response: oneSchedule,
  example: {
    params: { id: EXAMPLE_SCHEDULE.id, firstDay: '2027-05-03' },
    body: { lastDay: '2027-05-17' },
    data: {
      schedule: { ...EXAMPLE_SCHEDULE, pauses: [{ firstDay: '2027-05-03', lastDay: '2027-05-17' }] },
    },
  },
  async run(ctx, { params, body }) {
    const pause = { firstDay: body.firstDay ?? params.firstDay, lastDay: body.lastDay };
    const schedule = scheduleAnswer(await savePause(ctx, params.id, pause, params.firstDay));
    return new Reply({ schedule }, { message: PAUSE_MESSAGES.saved });
  },
});

const endPauseCall = operation({
  id: 'endPause',
  method: 'DELETE',
  path: '/api/schedules/{id}/pauses/{firstDay}',
  tag,
  summary: 'End or remove a pause',
  description:
    'A current pause ends as of yesterday, so doses from now on are due again. A future pause is removed.',
  access: 'premium',
  params: firstDayParams,
  response: oneSchedule,
  errors: ['WRONG_STATE'],
  example: { params: { id: EXAMPLE_SCHEDULE.id, firstDay: '2027-05-03' }, data: EXAMPLE_DATA },
  async run(ctx, { params }) {
    const schedule = scheduleAnswer(await endPause(ctx, params.id, params.firstDay));
    return new Reply({ schedule }, { message: PAUSE_MESSAGES.ended });
  },
});

const swapBody = z.object({
  fromDay: dayText.describe('First day of the change, in the schedule’s time zone, from today on'),
  name: orNone(textUpTo(MAX_NAME_LENGTH)).describe(
    'Another compound; defaults to the vial’s, otherwise to the current one',
  ),
  compoundId: orNone(textUpTo(MAX_ID_LENGTH)).describe(
    'Another vial to draw from first; null for any open vial with this name',
  ),
  doseAmount: orNone(dose).describe('Another dose in doseUnit, replacing dose and ramp'),
  confirm,
  preview,
});

/** The compound, vial and dose of a schedule on a day. */
const partShape = named(
  'PlannedPart',
  z.object({
    name: z.string(),
    compoundId: z.string().nullable(),
    doseAmount: z.number().describe('In the schedule’s unit'),
    ...blendShape,
  }),
);

/** A dose that a swap changes. */
const swappedDoseShape = named(
  'SwappedDose',
  z.object({ dueDate: instant, before: partShape, after: partShape }),
);

const EXAMPLE_SWAP = { fromDay: '2027-05-03', name: 'TB-500', compoundId: null, doseAmount: 0.5 };
const EXAMPLE_PART = { name: 'BPC-157', compoundId: null, doseAmount: 0.25, components: [], doseOf: null };
const EXAMPLE_SWAPPED_DOSE = {
  dueDate: '2027-05-03T06:00:00.000Z',
  before: EXAMPLE_PART,
  after: { ...EXAMPLE_PART, name: 'TB-500', doseAmount: 0.5 },
};

const swapCall = operation({
  id: 'swapSchedule',
  method: 'POST',
  path: '/api/schedules/{id}/swaps',
  tag,
  summary: 'Change the compound, vial or dose from a day on',
  description:
    'Doses before that day and logged doses stay as they are; pending ones from then on are recreated. Replaces another ' +
    'change on the same day.',
  confirmation: CONFIRMATION,
  access: 'premium',
  params: idParams,
  creates: '/api/schedules/{id}',
  mayCreateNothing: true,
  body: swapBody,
  checkValues: (body) => void parseInput(swapSchema.extend(previewSchema.shape), body),
  response: oneSchedule.extend({ doses: z.array(swappedDoseShape).describe('The first that change') }),
  errors: ['CONFIRM_DOSE'],
  example: {
    body: EXAMPLE_SWAP,
    data: {
      schedule: { ...EXAMPLE_SCHEDULE, swaps: [{ id: '674051b0a1b2c3d4e5f60719', ...EXAMPLE_SWAP }] },
      doses: [EXAMPLE_SWAPPED_DOSE],
    },
  },
  async run(ctx, { params, body }) {
    const { preview: isPreview } = parseInput(previewSchema, body);
    const found = await previewSwap(ctx, params.id, body as SwapInput);
    const doses = found.doses.map(swappedDoseAnswer);
    if (isPreview === true)
      return new Reply({ schedule: scheduleAnswer(found.schedule), doses }, { madeNothing: true });
    const schedule = scheduleAnswer(await swapSchedule(ctx, params.id, body as SwapInput));
    return new Reply({ schedule, doses }, { message: SWAP_MESSAGES.saved });
  },
});

const undoSwapCall = operation({
  id: 'undoSwap',
  method: 'DELETE',
  path: '/api/schedules/{id}/swaps/{swapId}',
  tag,
  summary: 'Undo a change of compound, vial or dose',
  description: 'Pending doses from now on follow the schedule without it; logged ones stay.',
  access: 'premium',
  params: idParams.extend({ swapId: textUpTo(200) }),
  response: oneSchedule,
  example: { params: { id: EXAMPLE_SCHEDULE.id, swapId: '674051b0a1b2c3d4e5f60719' }, data: EXAMPLE_DATA },
  async run(ctx, { params }) {
    const schedule = scheduleAnswer(await undoSwap(ctx, params.id, params.swapId));
    return new Reply({ schedule }, { message: SWAP_MESSAGES.undone });
  },
});

const beginAgainCall = operation({
  id: 'beginAgain',
  method: 'POST',
  path: '/api/schedules/{id}/again',
  tag,
  summary: 'Start an ended schedule again',
  description:
    'Creates a new schedule with the same settings and length, and its ramp from the start. The old one keeps its doses ' +
    'and must have ended or be paused. A used-up vial is left out.',
  access: 'premium',
  params: idParams,
  creates: '/api/schedules/{schedule.id}',
  mayCreateNothing: true,
  body: z.object({
    startDate: orNone(dayText).describe('First day; defaults to today'),
    firstDueAt: orNone(momentText).describe(
      'For kind "after-last": when the first dose is due; defaults to now',
    ),
    confirm,
    preview: preview.describe('Only report the new schedule, under the id of the old one'),
  }),
  checkValues: (body) => void parseInput(beginAgainSchema.extend(previewSchema.shape), body),
  response: oneSchedule,
  errors: ['PLAN_LIMIT', 'CONFIRM_DOSE', 'WRONG_STATE'],
  example: { body: { startDate: '2027-05-03' }, data: EXAMPLE_DATA },
  async run(ctx, { params, body }) {
    const { preview: isPreview } = parseInput(previewSchema, body);
    const input = body as BeginAgainInput;
    if (isPreview === true) {
      const planned = scheduleAnswer(await previewAgain(ctx, params.id, input));
      return new Reply({ schedule: planned }, { madeNothing: true });
    }
    const schedule = scheduleAnswer(await beginAgain(ctx, params.id, input));
    return new Reply({ schedule }, { message: AGAIN_MESSAGES.created });
  },
});

const deleteScheduleCall = operation({
  id: 'deleteSchedule',
  method: 'DELETE',
  path: '/api/schedules/{id}',
  tag,
  summary: 'Delete a schedule',
  description: 'Its pending doses are deleted too; taken, skipped and missed doses stay.',
  access: 'premium',
  params: idParams,
  response: oneSchedule,
  example: { data: EXAMPLE_DATA },
  async run(ctx, { params }) {
    const schedule = scheduleAnswer(await deleteSchedule(ctx, params.id));
    return new Reply({ schedule }, { message: SCHEDULE_MESSAGES.deleted });
  },
});

export const scheduleOperations = [
  listSchedulesCall,
  createScheduleCall,
  previewScheduleCall,
  getScheduleCall,
  updateScheduleCall,
  toggleScheduleCall,
  savePauseCall,
  endPauseCall,
  swapCall,
  undoSwapCall,
  beginAgainCall,
  deleteScheduleCall,
];
