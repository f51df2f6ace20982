import { DOSE_UNITS } from '#app/domain/calculator/calculation.ts';
import * as z from 'zod';
import { DOSE_STATUSES } from '#app/domain/doses/dose.ts';
import {
  confirmDoseError,
  DOSE_WARNINGS,
  REPORTED_WARNINGS,
  unconfirmed,
} from '#app/domain/doses/dose-warnings.ts';
import {
  getDose,
  logDose,
  missDose,
  skipDose,
  takeDose,
  undoDose,
  type TakeOutcome,
} from './doses.server.ts';
import {
  day,
  instant,
  named,
  idParams,
  pageQuery,
  cursorPageShape,
  cursorQuery,
  updatedQuery,
  periodQuery,
  warningsOf,
  yesOrNo,
} from '#app/platform/api/shapes.ts';
import {
  DOSE_MESSAGES,
  logDoseSchema,
  MAX_LISTED_DOSES,
  passDoseSchema,
  takeDoseSchema,
  takeDosesSchema,
  type LogDoseInput,
  type TakeDoseInput,
} from '#app/domain/doses/dose-schema.ts';
import { moveDoseSchema } from '#app/domain/schedules/plan-change-schema.ts';
import { MOVE_MESSAGES } from '#app/domain/schedules/plan-changes.ts';
import { moveDose, previewMove } from '#app/features/schedules/index.server.ts';
import { blendOfDose, partAmount, partsOfDose } from '#app/domain/vials/contents.ts';
import { takeAsNeeded } from './as-needed.server.ts';
import { confirmDosesError } from '#app/domain/doses/dose-question.ts';
import { takeDoses } from './doses-together.server.ts';
import { listDoses } from './dose-lists.server.ts';
import { getDaySummary } from './today.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';

type Dose = Awaited<ReturnType<typeof getDose>>;

/** A dose as the API returns it. */
const doseShape = named(
  'Dose',
  z.object({
    id: z.string(),
    scheduleId: z.string().nullable().describe('null for a dose logged without a schedule'),
    asNeeded: z.boolean().describe('Taken as needed, not planned; undoing it removes it'),
    name: z.string(),
    dueDate: instant,
    localDay: day.describe('Day in its schedule’s time zone'),
    wallTime: z.string().describe('HH:mm in its schedule’s time zone'),
    timeZone: z.string(),
    movedFrom: z
      .object({ localDay: z.string(), wallTime: z.string() })
      .nullable()
      .describe('For a moved dose: the day and time it was moved from'),
    status: z.enum(DOSE_STATUSES),
    updatedAt: instant,
    doseAmount: z.number().describe('Planned, in doseUnit'),
    doseUnit: z.enum(DOSE_UNITS),
    takenAt: instant.nullable(),
    actualDose: z.number().nullable().describe('Taken, in doseUnit'),
    notes: z.string().nullable(),
    site: z.string().nullable().describe('Injection site'),
    route: z.string().nullable(),
    compoundId: z.string().nullable().describe("The schedule's vial"),
    draws: z
      .array(z.object({ compoundId: z.string(), mg: z.number() }))
      .describe('Amounts drawn from vials; for a blend, those of the component named in doseOf'),
    doseOf: z.string().nullable().describe('For a blend: the component the dose is measured in'),
    components: z
      .array(z.object({ name: z.string(), dose: z.number() }))
      .describe('Amount of each component taken or planned, in doseUnit; a single peptide has one'),
  }),
);

/** Codes of warnings; the dose is logged regardless. */
const warningsShape = named('DoseWarnings', warningsOf(DOSE_WARNINGS));

/** A dose as the API returns it. */
export function toDoseResponse(dose: Dose): z.input<typeof doseShape> {
  const { doseAmount, actualDose, draws, asNeeded = false, blend: _plan, drawn: _vial, ...rest } = dose;
  return {
    ...rest,
    movedFrom: dose.movedFrom ?? null,
    updatedAt: dose.updatedAt ?? dose.actedAt ?? dose.dueDate,
    asNeeded,
    doseAmount: Number(doseAmount),
    actualDose: actualDose === null ? null : Number(actualDose),
    draws: draws.map(({ compoundId, mg }) => ({ compoundId, mg: Number(mg) })),
    doseOf: blendOfDose(dose)?.doseOf ?? null,
    components: partsOfDose(dose).map((part) => ({ name: part.name, dose: partAmount(part, dose.doseUnit) })),
  };
}

/** The dose in the API document's examples. */
const EXAMPLE_DOSE = {
  id: 'dose_6f1b1c3e9a7d4b2f8e0c5a61',
  scheduleId: 'sched_1795334400000a1b2c3d4e5f6',
  asNeeded: false,
  name: 'BPC-157',
  dueDate: '2026-11-22T08:00:00.000Z',
  localDay: '2026-11-22',
  wallTime: '08:00',
  timeZone: 'UTC',
  movedFrom: null,
  status: 'taken' as const,
  updatedAt: '2026-11-22T08:04:00.000Z',
  doseAmount: 250,
  doseUnit: 'mcg' as const,
  takenAt: '2026-11-22T08:04:00.000Z',
  actualDose: 250,
  notes: null,
  site: 'abdomen-upper-left',
  route: null,
  compoundId: null,
  draws: [{ compoundId: 'vial_6740f0c0a1b2c3d4e5f60718', mg: 0.25 }],
  doseOf: null,
  components: [{ name: 'BPC-157', dose: 250 }],
};

const EXAMPLE_WARNING = { code: 'TOO_SOON' as const, message: 'Your last dose was 2 hours ago.' };

const tag = 'Doses';
const one = z.object({ dose: doseShape });
const taken = z.object({ dose: doseShape, warnings: warningsShape });

/** Confirms an unusual amount. Everything else is logged and reported, because a client can't be asked. */
const confirm = z.boolean().optional().describe('Log an unusual amount anyway, after CONFIRM_DOSE');

const intakeBody = takeDoseSchema.omit({ confirmed: true, confirmedAmount: true }).extend({ confirm });

const confirmedBy = (isConfirmed: boolean | undefined) =>
  isConfirmed === true ? [...DOSE_WARNINGS] : [...REPORTED_WARNINGS];

const CONFIRMATION =
  'An unusual amount returns 409 CONFIRM_DOSE with its `warnings`; send it again with `confirm: true` to log it.';

function takenReply(outcome: TakeOutcome) {
  if (!outcome.done) throw confirmDoseError(unconfirmed(outcome.warnings, REPORTED_WARNINGS));
  const data = { dose: toDoseResponse(outcome.dose), warnings: outcome.warnings };
  return new Reply(data, { message: DOSE_MESSAGES.taken });
}

const summaryDose = {
  id: z.string(),
  name: z.string(),
  amount: z.string().describe('"250 mcg"; for a blend each component, "BPC-157 250 mcg + TB-500 500 mcg"'),
  due: z.string().describe('"2026-11-22 20:00" in your time zone'),
  dueDate: instant,
};

const EXAMPLE_SUMMARY_DOSE = {
  id: EXAMPLE_DOSE.id,
  name: 'BPC-157',
  amount: '250 mcg',
  due: '2026-11-22 08:00',
  dueDate: '2026-11-22T08:00:00.000Z',
};

const getTodayCall = operation({
  id: 'getToday',
  method: 'GET',
  path: '/api/today',
  tag,
  summary: 'Summary of the day',
  description:
    'For widgets, sensors and shell prompts: the next dose, the doses due but not logged, how many of them are overdue, ' +
    'and what is running low. `vialbook due --json` prints the same.',
  access: 'premium',
  response: z.object({
    day: day.describe('Today in your time zone'),
    nextDose: z.object(summaryDose).nullable().describe('The next dose still to come'),
    doses: z
      .array(z.object({ ...summaryDose, isOverdue: z.boolean().describe('Due at least half an hour ago') }))
      .describe('Due but not logged, earliest first'),
    overdue: z.int().describe('How many of them are overdue'),
    lowStock: z.array(
      z.object({
        name: z.string(),
        compoundId: z.string().nullable().describe('null if it concerns all vials of a compound'),
        message: z.string().describe('One sentence'),
      }),
    ),
  }),
  example: {
    data: {
      day: '2026-11-22',
      nextDose: { ...EXAMPLE_SUMMARY_DOSE, due: '2026-11-22 20:00', dueDate: '2026-11-22T20:00:00.000Z' },
      doses: [{ ...EXAMPLE_SUMMARY_DOSE, isOverdue: true }],
      overdue: 1,
      lowStock: [
        {
          name: 'BPC-157',
          compoundId: null,
          message: 'BPC-157 is running low. It lasts 4 days, until 26 November 2026.',
        },
      ],
    },
  },
  run: (ctx) => getDaySummary(ctx),
});

const listDosesCall = operation({
  id: 'listDoses',
  method: 'GET',
  path: '/api/schedules/doses',
  tag,
  summary: 'List doses',
  description:
    'Oldest first, 100 per page. Without days, status and updatedSince from 24 hours ago to 7 days ahead. Days are in your time zone, both ' +
    'ends included. `overdue` lists pending doses that are already due.',
  access: 'premium',
  isList: true,
  query: z.object({
    status: z.enum(DOSE_STATUSES).optional().describe('Only these'),
    ...periodQuery,
    overdue: yesOrNo.optional().describe('Only pending ones that are already due'),
    ...pageQuery(MAX_LISTED_DOSES),
    ...cursorQuery,
    ...updatedQuery,
  }),
  response: z.object({ doses: z.array(doseShape), ...cursorPageShape }),
  example: {
    query: { status: 'taken' },
    data: { doses: [EXAMPLE_DOSE], page: 1, limit: 100, total: 1, next: null },
  },
  async run(ctx, { query: { start, end, ...query } }) {
    const { doses, ...paging } = await listDoses(ctx, { ...query, startDate: start, endDate: end });
    return { doses: doses.map(toDoseResponse), ...paging };
  },
});

const logDoseCall = operation({
  id: 'logDose',
  method: 'POST',
  path: '/api/schedules/doses',
  tag,
  summary: 'Log a dose without a schedule',
  description: 'It is drawn from stock like any other dose. Undoing it removes it.',
  confirmation: CONFIRMATION,
  access: 'premium',
  creates: '/api/schedules/doses/{dose.id}',
  // NOT_FOUND: the chosen vial.
  errors: ['NOT_FOUND', 'PLAN_LIMIT', 'CONFIRM_DOSE'],
  body: logDoseSchema.omit({ confirmed: true, confirmedAmount: true }).extend({ confirm }),
  response: taken,
  example: {
    body: { name: 'BPC-157', actualDose: 250, doseUnit: 'mcg' },
    data: { dose: { ...EXAMPLE_DOSE, scheduleId: null }, warnings: [] },
  },
  async run(ctx, { body: { confirm: isConfirmed, ...body } }) {
    const confirmed = confirmedBy(isConfirmed);
    return takenReply(await logDose(ctx, { ...(body as LogDoseInput), confirmed }));
  },
});

const takeAsNeededCall = operation({
  id: 'takeAsNeeded',
  method: 'POST',
  path: '/api/schedules/{id}/doses',
  tag,
  summary: 'Take a dose as needed',
  description:
    'For a schedule of kind "as-needed": creates a dose and logs it as taken. The amount is in the unit of the schedule ' +
    'and defaults to the planned one; `takenAt` defaults to now. It is drawn from stock like any other dose, and undoing ' +
    'it removes it. A dose sooner than `minGapHours` after another returns the warning TOO_SOON, and more than ' +
    '`maxPerDay` on a day returns OVER_DAILY_LIMIT; both are logged anyway.',
  confirmation: CONFIRMATION,
  access: 'premium',
  creates: '/api/schedules/doses/{dose.id}',
  params: idParams,
  body: intakeBody,
  response: taken,
  errors: ['NOT_AS_NEEDED', 'PLAN_LIMIT', 'CONFIRM_DOSE'],
  example: {
    body: { notes: 'after a long run' },
    data: { dose: { ...EXAMPLE_DOSE, asNeeded: true }, warnings: [EXAMPLE_WARNING] },
  },
  async run(ctx, { params, body: { confirm: isConfirmed, ...body } }) {
    const confirmed = confirmedBy(isConfirmed);
    return takenReply(await takeAsNeeded(ctx, params.id, { ...(body as TakeDoseInput), confirmed }));
  },
});

const getDoseCall = operation({
  id: 'getDose',
  method: 'GET',
  path: '/api/schedules/doses/{id}',
  tag,
  summary: 'One dose',
  description: 'A planned or logged dose, with what was drawn for it.',
  access: 'premium',
  params: idParams,
  response: one,
  example: { data: { dose: EXAMPLE_DOSE } },
  run: async (ctx, { params }) => ({ dose: toDoseResponse(await getDose(ctx, params.id)) }),
});

const takeDoseCall = operation({
  id: 'takeDose',
  method: 'PATCH',
  path: '/api/schedules/doses/{id}/taken',
  tag,
  summary: 'Mark a dose as taken',
  description:
    '`actualDose` is in the unit of the schedule and defaults to the planned dose; `takenAt` defaults to now. The dose is ' +
    'drawn from the vial `compoundId`, otherwise from the schedule’s vial, otherwise from the vial of that name that ' +
    'expires first. A dose that is already taken is refused, and nothing is drawn.',
  confirmation: CONFIRMATION,
  access: 'premium',
  params: idParams,
  body: intakeBody,
  response: taken,
  errors: ['DOSE_ALREADY_LOGGED', 'CONFIRM_DOSE'],
  example: {
    body: { actualDose: 250, notes: 'calm' },
    data: { dose: EXAMPLE_DOSE, warnings: [EXAMPLE_WARNING] },
  },
  async run(ctx, { params, body: { confirm: isConfirmed, ...body } }) {
    const confirmed = confirmedBy(isConfirmed);
    return takenReply(await takeDose(ctx, params.id, { ...(body as TakeDoseInput), confirmed }));
  },
});

const takeDosesCall = operation({
  id: 'takeDoses',
  method: 'POST',
  path: '/api/schedules/doses/take',
  tag,
  summary: 'Mark several doses as taken',
  description:
    'All of them or none, each as planned and all at `takenAt`, by default now. Doses due within the same quarter of an ' +
    'hour are meant to be taken together. `warnings` are listed by dose id. If one of them is already taken, nothing ' +
    'is logged.',
  confirmation: `${CONFIRMATION} Each of the \`warnings\` has the \`id\` of its dose.`,
  access: 'premium',
  body: takeDosesSchema.omit({ confirmed: true, answers: true }).extend({ confirm }),
  response: z.object({
    doses: z.array(doseShape).describe('In the order they were due'),
    warnings: z.record(z.string(), warningsShape).describe('By dose id; empty for most doses'),
  }),
  errors: ['NOT_FOUND', 'DOSE_ALREADY_LOGGED', 'CONFIRM_DOSE'],
  example: {
    body: { ids: [EXAMPLE_DOSE.id] },
    data: { doses: [EXAMPLE_DOSE], warnings: { [EXAMPLE_DOSE.id]: [EXAMPLE_WARNING] } },
  },
  async run(ctx, { body: { confirm: isConfirmed, ids, takenAt } }) {
    const confirmed = confirmedBy(isConfirmed);
    const outcome = await takeDoses(ctx, { ids, confirmed, ...(takenAt !== undefined && { takenAt }) });
    if (!outcome.done) throw confirmDosesError(outcome.questions);
    const doses = outcome.taken.map(({ dose }) => toDoseResponse(dose));
    const warnings = Object.fromEntries(outcome.taken.map(({ dose, warnings: found }) => [dose.id, found]));
    return new Reply({ doses, warnings }, { message: DOSE_MESSAGES.takenTogether });
  },
});

const missDoseCall = operation({
  id: 'missDose',
  method: 'PATCH',
  path: '/api/schedules/doses/{id}/missed',
  tag,
  summary: 'Mark a dose as missed',
  description: 'Nothing is drawn. A dose that is already taken is refused; undo it first.',
  access: 'premium',
  params: idParams,
  body: passDoseSchema,
  response: one,
  errors: ['DOSE_ALREADY_LOGGED'],
  example: { body: { notes: 'travel' }, data: { dose: { ...EXAMPLE_DOSE, status: 'missed' as const } } },
  async run(ctx, { params, body }) {
    const dose = toDoseResponse(await missDose(ctx, params.id, body));
    return new Reply({ dose }, { message: DOSE_MESSAGES.missed });
  },
});

const skipDoseCall = operation({
  id: 'skipDose',
  method: 'PATCH',
  path: '/api/schedules/doses/{id}/skipped',
  tag,
  summary: 'Mark a dose as skipped',
  description:
    'Nothing is drawn, and adherence does not count it. A dose that is already taken is refused; undo it first.',
  access: 'premium',
  params: idParams,
  body: passDoseSchema,
  response: one,
  errors: ['DOSE_ALREADY_LOGGED'],
  example: { body: { notes: 'ill' }, data: { dose: { ...EXAMPLE_DOSE, status: 'skipped' as const } } },
  async run(ctx, { params, body }) {
    const dose = toDoseResponse(await skipDose(ctx, params.id, body));
    return new Reply({ dose }, { message: DOSE_MESSAGES.skipped });
  },
});

const moveDoseCall = operation({
  id: 'moveDose',
  method: 'PATCH',
  path: '/api/schedules/doses/{id}/move',
  tag,
  summary: 'Move a dose, optionally with all doses after it',
  description:
    'With scope `following`, every later dose of the schedule moves by the same amount, except doses that were moved on ' +
    'their own. The dose keeps its id. Changing, pausing or resuming the schedule keeps the move; ' +
    '`PATCH /api/schedules/doses/{id}/undo` undoes it. `moves` lists the first doses that move; ' +
    'with `preview: true` nothing is saved.',
  access: 'premium',
  params: idParams,
  body: moveDoseSchema.extend({
    dueDate: moveDoseSchema.shape.dueDate.describe('From now to 35 days ahead'),
    preview: z.boolean().optional().describe('Only report what would move'),
  }),
  response: z.object({
    dose: doseShape,
    moves: z.array(named('MovedDose', z.object({ from: instant, to: instant }))),
    tooCloseTo: instant
      .nullable()
      .describe('When another dose of the schedule is due less than half the usual interval away'),
  }),
  errors: ['WRONG_STATE'],
  example: {
    body: { dueDate: '2026-11-23T09:00:00Z', scope: 'this' },
    data: {
      dose: {
        ...EXAMPLE_DOSE,
        dueDate: '2026-11-23T09:00:00.000Z',
        localDay: '2026-11-23',
        wallTime: '09:00',
      },
      moves: [{ from: '2026-11-22T08:00:00.000Z', to: '2026-11-23T09:00:00.000Z' }],
      tooCloseTo: null,
    },
  },
  async run(ctx, { params, body: { preview, ...body } }) {
    const { dose, doses, tooCloseTo } = await previewMove(ctx, params.id, body);
    if (preview === true) return { dose: toDoseResponse(dose), moves: doses, tooCloseTo };
    const moved = await moveDose(ctx, params.id, body);
    const message = body.scope === 'following' ? MOVE_MESSAGES.movedAll : MOVE_MESSAGES.moved;
    return new Reply({ dose: toDoseResponse(moved), moves: doses, tooCloseTo }, { message });
  },
});

const undoDoseCall = operation({
  id: 'undoDose',
  method: 'PATCH',
  path: '/api/schedules/doses/{id}/undo',
  tag,
  summary: 'Undo the last change to a dose',
  description:
    'The dose returns to its previous state and its stock is returned; a moved dose goes back to its earlier time. A dose ' +
    'without a schedule or taken as needed is removed, and `dose` is null.',
  access: 'premium',
  params: idParams,
  response: z.object({ dose: doseShape.nullable() }),
  errors: ['NOTHING_TO_UNDO'],
  example: { data: { dose: { ...EXAMPLE_DOSE, status: 'pending' as const } } },
  async run(ctx, { params }) {
    const dose = await undoDose(ctx, params.id);
    return { dose: dose === null ? null : toDoseResponse(dose) };
  },
});

export const doseOperations = [
  getTodayCall,
  listDosesCall,
  logDoseCall,
  takeAsNeededCall,
  getDoseCall,
  takeDoseCall,
  takeDosesCall,
  missDoseCall,
  skipDoseCall,
  moveDoseCall,
  undoDoseCall,
];
