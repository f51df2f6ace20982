import * as z from 'zod';
import { SCHEDULE_MESSAGES, toggleSchema } from '#app/domain/schedules/schedule-schema.ts';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  previewSchedule,
  toggleSchedule,
  updateSchedule,
} from './schedules.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { day, idParams, instant, pageQuery, pageShape } from '#app/platform/api/shapes.ts';
import {
  EXAMPLE_SCHEDULE,
  EXAMPLE_SCHEDULE_BODY,
  newScheduleBody,
  toScheduleResponse,
  scheduleChangesBody,
  scheduleShape,
} from './schedule-shape.ts';

const tag = 'Schedules';
const oneSchedule = z.object({ schedule: scheduleShape });
const EXAMPLE_DATA = { schedule: EXAMPLE_SCHEDULE };

export const listSchedulesCall = operation({
  id: 'listSchedules',
  method: 'GET',
  path: '/api/schedules',
  tag,
  summary: 'Schedules, newest first',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery() }),
  response: z.object({ schedules: z.array(scheduleShape), ...pageShape }),
  example: { data: { schedules: [EXAMPLE_SCHEDULE], page: 1, limit: 20, total: 1 } },
  async run(ctx, { query }) {
    const { items, pages, limit, total } = await listSchedules(ctx, query);
    // The page stands in for one that is gone; a program that counts on must come to an end instead.
    const shown = query.page > pages ? [] : items;
    return { schedules: shown.map(toScheduleResponse), page: query.page, limit, total };
  },
});

export const createScheduleCall = operation({
  id: 'createSchedule',
  method: 'POST',
  path: '/api/schedules',
  tag,
  summary: 'Create a schedule',
  description:
    'Its doses for 35 days are made in the same request. Times are on the clock of its zone: 08:00 stays 08:00. ' +
    'A time that a day skips moves forward by the gap, one that it has twice is the earlier.',
  access: 'premium',
  creates: true,
  body: newScheduleBody,
  bodyIsCheckedByRun: true,
  response: oneSchedule,
  example: { body: EXAMPLE_SCHEDULE_BODY, data: EXAMPLE_DATA },
  async run(ctx, { body }) {
    const schedule = toScheduleResponse(await createSchedule(ctx, body));
    return new Reply({ schedule }, { message: SCHEDULE_MESSAGES.created });
  },
});

export const previewScheduleCall = operation({
  id: 'previewSchedule',
  method: 'POST',
  path: '/api/schedules/preview',
  tag,
  summary: 'The first 14 doses of a schedule, from its start date on',
  description: 'Takes the body of a new schedule and saves nothing.',
  access: 'premium',
  scope: 'read',
  body: newScheduleBody,
  bodyIsCheckedByRun: true,
  response: z.object({
    doses: z.array(
      z.object({
        dueDate: instant,
        localDay: day.describe('Calendar day in the schedule’s zone'),
        wallTime: z.string().describe('HH:MM as the schedule says it'),
        doseAmount: z.number().describe('In the schedule’s unit'),
      }),
    ),
  }),
  example: {
    body: EXAMPLE_SCHEDULE_BODY,
    data: {
      doses: [
        { dueDate: '2026-11-22T07:00:00.000Z', localDay: '2026-11-22', wallTime: '08:00', doseAmount: 0.25 },
      ],
    },
  },
  async run(ctx, { body }) {
    const { doses } = await previewSchedule(ctx, body);
    return { doses: doses.map((dose) => ({ ...dose, doseAmount: Number(dose.doseAmount) })) };
  },
});

export const getScheduleCall = operation({
  id: 'getSchedule',
  method: 'GET',
  path: '/api/schedules/{id}',
  tag,
  summary: 'One schedule',
  access: 'premium',
  params: idParams,
  response: oneSchedule,
  example: { data: EXAMPLE_DATA },
  run: async (ctx, { params }) => ({ schedule: toScheduleResponse(await getSchedule(ctx, params.id)) }),
});

export const updateScheduleCall = operation({
  id: 'updateSchedule',
  method: 'PUT',
  path: '/api/schedules/{id}',
  tag,
  summary: 'Change a schedule',
  description:
    'Only what is given changes. Doses that are past or done stay; future pending ones are made anew.',
  access: 'premium',
  params: idParams,
  body: scheduleChangesBody,
  bodyIsCheckedByRun: true,
  response: oneSchedule,
  errors: ['CONFLICT'],
  example: { body: { times: ['08:00', '20:00'] }, data: EXAMPLE_DATA },
  async run(ctx, { params, body }) {
    const schedule = toScheduleResponse(await updateSchedule(ctx, params.id, body));
    return new Reply({ schedule }, { message: SCHEDULE_MESSAGES.updated });
  },
});

export const toggleScheduleCall = operation({
  id: 'toggleSchedule',
  method: 'PATCH',
  path: '/api/schedules/{id}/toggle',
  tag,
  summary: 'Pause a schedule, or let it go on',
  description: 'Pausing takes its future pending doses away, going on makes them again.',
  access: 'premium',
  params: idParams,
  body: toggleSchema,
  response: oneSchedule,
  errors: ['CONFLICT'],
  example: { body: { isActive: false }, data: EXAMPLE_DATA },
  async run(ctx, { params, body }) {
    const view = await toggleSchedule(ctx, params.id, body);
    const message = view.isActive ? SCHEDULE_MESSAGES.activated : SCHEDULE_MESSAGES.paused;
    return new Reply({ schedule: toScheduleResponse(view) }, { message });
  },
});

export const deleteScheduleCall = operation({
  id: 'deleteSchedule',
  method: 'DELETE',
  path: '/api/schedules/{id}',
  tag,
  summary: 'Delete a schedule',
  description: 'Pending doses go along; what was taken, skipped or missed stays.',
  access: 'premium',
  params: idParams,
  response: oneSchedule,
  example: { data: EXAMPLE_DATA },
  async run(ctx, { params }) {
    const schedule = toScheduleResponse(await deleteSchedule(ctx, params.id));
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
  deleteScheduleCall,
];
