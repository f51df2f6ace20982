import * as z from 'zod';
import { DOSE_STATUSES } from '#app/domain/doses/dose.ts';
import { getAdherence } from './adherence.server.ts';
import { listCalendarEvents } from './dose-lists.server.ts';
import { operation } from '#app/platform/api/operation.ts';
import {
  day,
  instant,
  named,
  pageQuery,
  periodQuery,
  cursorPageShape,
  cursorQuery,
} from '#app/platform/api/shapes.ts';

const tag = 'Doses';

const tally = {
  pending: z.int().describe('Due but not logged yet'),
  taken: z.int(),
  missed: z.int(),
  skipped: z.int(),
  due: z.int().describe('taken + missed'),
  adherence: z.number().nullable().describe('taken ÷ due; null if nothing was due'),
  adherenceText: z.string().nullable().describe('As a percentage, as shown on the page'),
};

const totalShape = named('Adherence', z.object(tally));
const weekShape = named(
  'WeekAdherence',
  z.object({ week: day.describe('The Monday it starts on'), ...tally }),
);
const scheduleShape = named(
  'ScheduleAdherence',
  z.object({ scheduleId: z.string().nullable(), name: z.string(), ...tally }),
);
const compoundShape = named('CompoundAdherence', z.object({ name: z.string(), ...tally }));

type Report = Awaited<ReturnType<typeof getAdherence>>;

function tallyOf({ pending, taken, missed, skipped, due, share, text }: Report['total']) {
  return { pending, taken, missed, skipped, due, adherence: share, adherenceText: text };
}

const EXAMPLE = {
  pending: 0,
  taken: 11,
  missed: 1,
  skipped: 2,
  due: 12,
  adherence: 11 / 12,
  adherenceText: '91.7%',
};
const period = { startDate: day, endDate: day, formula: z.string() };
const EXAMPLE_PERIOD = {
  startDate: '2026-10-25',
  endDate: '2026-11-22',
  formula: 'Adherence = planned doses taken ÷ (planned doses taken + missed).',
};

export const adherenceCall = operation({
  id: 'adherence',
  method: 'GET',
  path: '/api/schedules/adherence',
  tag,
  summary: 'Adherence for a period',
  description:
    'The last 28 days by default, at most a year. Skipped doses are counted separately and don’t affect adherence.',
  access: 'premium',
  query: z.object(periodQuery),
  response: z.object({
    ...period,
    total: totalShape,
    weeks: z.array(weekShape),
    schedules: z.array(scheduleShape),
    compounds: z.array(compoundShape),
  }),
  example: {
    query: { start: '2026-10-25', end: '2026-11-22' },
    data: {
      ...EXAMPLE_PERIOD,
      total: EXAMPLE,
      weeks: [{ week: '2026-11-16', ...EXAMPLE }],
      schedules: [],
      compounds: [],
    },
  },
  async run(ctx, { query }) {
    const report = await getAdherence(ctx, { startDate: query.start, endDate: query.end });
    const { startDate, endDate, formula, total, weeks, schedules, compounds } = report;
    return {
      startDate,
      endDate,
      formula,
      total: tallyOf(total),
      weeks: weeks.map((week) => ({ week: week.key, ...tallyOf(week) })),
      schedules: schedules.map((one) => ({ scheduleId: one.key || null, name: one.name, ...tallyOf(one) })),
      compounds: compounds.map((one) => ({ name: one.name, ...tallyOf(one) })),
    };
  },
});

export const scheduleStatsCall = operation({
  id: 'scheduleStats',
  method: 'GET',
  path: '/api/schedules/stats',
  tag,
  summary: 'Adherence figures for the last 28 days',
  description: 'The period is the last 28 days; `streak` counts planned doses taken in a row up to now.',
  access: 'premium',
  response: z.object({ stats: z.object({ ...period, ...tally, streak: z.int() }) }),
  example: { data: { stats: { ...EXAMPLE_PERIOD, ...EXAMPLE, streak: 7 } } },
  async run(ctx) {
    const { startDate, endDate, formula, total, streak } = await getAdherence(ctx);
    return { stats: { startDate, endDate, formula, ...tallyOf(total), streak } };
  },
});

const eventShape = named(
  'CalendarEvent',
  z.object({
    date: day.describe('Day in your time zone'),
    time: z.string().describe('HH:mm in your time zone'),
    doseId: z.string(),
    scheduleId: z.string().nullable(),
    name: z.string(),
    dueDate: instant,
    status: z.enum(DOSE_STATUSES),
    title: z.string(),
  }),
);

export const scheduleCalendarCall = operation({
  id: 'scheduleCalendar',
  method: 'GET',
  path: '/api/schedules/calendar',
  tag,
  summary: 'Doses as calendar events',
  description: 'Days are in your time zone, both ends included; this month by default. At most 93 days.',
  access: 'premium',
  isList: true,
  query: z.object({ ...periodQuery, ...pageQuery(1000, 3000), ...cursorQuery }),
  response: z.object({ events: z.array(eventShape), ...cursorPageShape }),
  example: {
    query: { start: '2026-11-01', end: '2026-11-30' },
    data: {
      events: [
        {
          date: '2026-11-22',
          time: '08:00',
          doseId: 'dose_6f1b1c3e9a7d4b2f8e0c5a61',
          scheduleId: 'sched_1795334400000a1b2c3d4e5f6',
          name: 'BPC-157',
          dueDate: '2026-11-22T08:00:00.000Z',
          status: 'taken' as const,
          title: 'BPC-157 250 mcg',
        },
      ],
      page: 1,
      limit: 1000,
      total: 1,
      next: null,
    },
  },
  async run(ctx, { query: { start, end, ...request } }) {
    return listCalendarEvents(ctx, { startDate: start, endDate: end }, request);
  },
});

export const adherenceOperations = [adherenceCall, scheduleStatsCall, scheduleCalendarCall];
