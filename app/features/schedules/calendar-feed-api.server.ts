import * as z from 'zod';
import { calendarFeedCallSchema, FEED_MESSAGES } from '#app/domain/schedules/calendar-feed-schema.ts';
import { FEED_PRIVACY } from '#app/domain/schedules/calendar-events.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { instant, named } from '#app/platform/api/shapes.ts';
import { deleteCalendarFeed, findCalendarFeed, setCalendarFeed } from './calendar-feed.server.ts';

const tag = 'Schedules';
const path = '/api/calendar-feed';

const feedShape = named(
  'CalendarFeed',
  z.object({ privacy: z.enum(FEED_PRIVACY), alarms: z.boolean(), createdAt: instant }),
);

const EXAMPLE_FEED = { privacy: 'name', alarms: true, createdAt: '2026-11-22T08:00:00.000Z' };
const EXAMPLE_LINK = 'https://vialbook.example/calendar/Zr3…9dV.ics';

const getCall = operation({
  id: 'getCalendarFeed',
  method: 'GET',
  path,
  tag,
  summary: 'The calendar link',
  description: 'Without its address, which is shown only when it is created; null while there is none.',
  access: 'premium',
  response: z.object({ calendarFeed: feedShape.nullable() }),
  example: { data: { calendarFeed: EXAMPLE_FEED } },
  run: async (ctx) => ({ calendarFeed: await findCalendarFeed(ctx) }),
});

const setCall = operation({
  id: 'setCalendarFeed',
  method: 'PUT',
  path,
  tag,
  summary: 'Create, change or renew the calendar link',
  description:
    'Calendar programs subscribe to `link`, the doses of the last 30 and the next 35 days. Anyone who has it can read them. ' +
    'It is shown only once, and null unless it is new. Needs a session.',
  access: 'premium',
  sessionOnly: true,
  body: calendarFeedCallSchema,
  response: z.object({ calendarFeed: feedShape, link: z.string().nullable() }),
  holdsSecret: true,
  example: {
    body: { privacy: 'name', alarms: true },
    data: { calendarFeed: EXAMPLE_FEED, link: EXAMPLE_LINK },
  },
  run: (ctx, { body }) => setCalendarFeed(ctx, body),
});

const deleteCall = operation({
  id: 'deleteCalendarFeed',
  method: 'DELETE',
  path,
  tag,
  summary: 'Turn the calendar link off',
  description: 'Its address stops working.',
  access: 'user',
  example: {},
  async run(ctx) {
    await deleteCalendarFeed(ctx);
    return new Reply({}, { message: FEED_MESSAGES.off });
  },
});

export const calendarFeedOperations = [getCall, setCall, deleteCall];
