import * as z from 'zod';
import { DOSE_STATUSES } from '#app/domain/doses/dose-status.ts';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import {
  DOSE_MESSAGES,
  logDoseSchema,
  passDoseSchema,
  takeDoseSchema,
  type LogDoseInput,
  type TakeDoseInput,
} from '#app/domain/doses/dose-schema.ts';
import { logDose } from './dose-log.server.ts';
import { listDoses } from './dose-lists.server.ts';
import { getDose, missDose, skipDose, takeDose, undoDose, type TakeOutcome } from './doses.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { day, idParams, yesOrNo } from '#app/platform/api/shapes.ts';
import { toDoseResponse, doseShape, EXAMPLE_DOSE, warningsShape } from './dose-shape.ts';

const tag = 'Doses';
const one = z.object({ dose: doseShape });
const taken = z.object({ dose: doseShape, warnings: warningsShape });

/** A program cannot be asked: it says yes to every warning, and is told which there were. */
const confirmed = [...DOSE_WARNINGS];

function takenReply(outcome: TakeOutcome) {
  if (!outcome.done) throw new Error('every warning was confirmed');
  const data = { dose: toDoseResponse(outcome.dose), warnings: outcome.warnings.map(({ code }) => code) };
  return new Reply(data, { message: DOSE_MESSAGES.taken });
}

export const listDosesCall = operation({
  id: 'listDoses',
  method: 'GET',
  path: '/api/schedules/doses',
  tag,
  summary: 'Doses of a period',
  description:
    'Oldest first, at most 100. Without days: from 24 hours ago to 7 days ahead. Days are those of your time zone, both ' +
    'included. `overdue` gives the pending ones whose time has come.',
  access: 'premium',
  isList: true,
  query: z.object({
    status: z.enum(DOSE_STATUSES).optional(),
    startDate: day.optional(),
    endDate: day.optional(),
    overdue: yesOrNo.optional(),
  }),
  response: z.object({ doses: z.array(doseShape) }),
  example: { query: { status: 'taken' }, data: { doses: [EXAMPLE_DOSE] } },
  run: async (ctx, { query }) => ({ doses: (await listDoses(ctx, query)).map(toDoseResponse) }),
});

export const logDoseCall = operation({
  id: 'logDose',
  method: 'POST',
  path: '/api/schedules/doses',
  tag,
  summary: 'Log a dose that no schedule has',
  description: 'It is drawn from stock like any other. Undoing it removes it.',
  access: 'premium',
  creates: true,
  // The vial that is named.
  errors: ['NOT_FOUND'],
  body: logDoseSchema.omit({ confirmed: true }),
  response: taken,
  example: {
    body: { name: 'BPC-157', actualDose: 250, doseUnit: 'mcg' },
    data: { dose: { ...EXAMPLE_DOSE, scheduleId: null }, warnings: [] },
  },
  run: async (ctx, { body }) => takenReply(await logDose(ctx, { ...(body as LogDoseInput), confirmed })),
});

export const getDoseCall = operation({
  id: 'getDose',
  method: 'GET',
  path: '/api/schedules/doses/{id}',
  tag,
  summary: 'One dose',
  access: 'premium',
  params: idParams,
  response: one,
  example: { data: { dose: EXAMPLE_DOSE } },
  run: async (ctx, { params }) => ({ dose: toDoseResponse(await getDose(ctx, params.id)) }),
});

export const takeDoseCall = operation({
  id: 'takeDose',
  method: 'PATCH',
  path: '/api/schedules/doses/{id}/taken',
  tag,
  summary: 'Mark a dose as taken',
  description:
    '`actualDose` is in the unit of the schedule, the planned dose when absent; `takenAt` is now when absent. It is drawn ' +
    'from the vial `compoundId`, else from the schedule’s, else from the one of its name that expires first. Warnings never ' +
    'stop it. A dose that is taken already is refused and draws nothing.',
  access: 'premium',
  params: idParams,
  body: takeDoseSchema.omit({ confirmed: true }),
  response: taken,
  errors: ['DOSE_ALREADY_LOGGED', 'CONFLICT'],
  example: { body: { actualDose: 250, notes: 'calm' }, data: { dose: EXAMPLE_DOSE, warnings: ['TOO_SOON'] } },
  run: async (ctx, { params, body }) =>
    takenReply(await takeDose(ctx, params.id, { ...(body as TakeDoseInput), confirmed })),
});

export const missDoseCall = operation({
  id: 'missDose',
  method: 'PATCH',
  path: '/api/schedules/doses/{id}/missed',
  tag,
  summary: 'Mark a dose as missed',
  access: 'premium',
  params: idParams,
  body: passDoseSchema,
  response: one,
  errors: ['DOSE_ALREADY_LOGGED', 'CONFLICT'],
  example: { body: { notes: 'travel' }, data: { dose: { ...EXAMPLE_DOSE, status: 'missed' as const } } },
  async run(ctx, { params, body }) {
    const dose = toDoseResponse(await missDose(ctx, params.id, body));
    return new Reply({ dose }, { message: DOSE_MESSAGES.missed });
  },
});

export const skipDoseCall = operation({
  id: 'skipDose',
  method: 'PATCH',
  path: '/api/schedules/doses/{id}/skipped',
  tag,
  summary: 'Mark a dose as skipped',
  access: 'premium',
  params: idParams,
  body: passDoseSchema,
  response: one,
  errors: ['DOSE_ALREADY_LOGGED', 'CONFLICT'],
  example: { body: { notes: 'ill' }, data: { dose: { ...EXAMPLE_DOSE, status: 'skipped' as const } } },
  async run(ctx, { params, body }) {
    const dose = toDoseResponse(await skipDose(ctx, params.id, body));
    return new Reply({ dose }, { message: DOSE_MESSAGES.skipped });
  },
});

export const undoDoseCall = operation({
  id: 'undoDose',
  method: 'PATCH',
  path: '/api/schedules/doses/{id}/undo',
  tag,
  summary: 'Take back the last thing said about a dose',
  description:
    'It is what it was before and its stock is returned. A dose without a schedule is removed; `dose` is null then.',
  access: 'premium',
  params: idParams,
  response: z.object({ dose: doseShape.nullable() }),
  errors: ['CONFLICT'],
  example: { data: { dose: { ...EXAMPLE_DOSE, status: 'pending' as const } } },
  async run(ctx, { params }) {
    const dose = await undoDose(ctx, params.id);
    return { dose: dose === null ? null : toDoseResponse(dose) };
  },
});

export const doseOperations = [
  listDosesCall,
  logDoseCall,
  getDoseCall,
  takeDoseCall,
  missDoseCall,
  skipDoseCall,
  undoDoseCall,
];
