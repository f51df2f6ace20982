import type { MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { Calendar } from '#app/features/doses/index.ts';
import { ScheduleTabs, useReload } from '#app/features/schedules/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { getCalendar } from '#app/features/doses/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Calendar – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, url }) => {
  const today = calendarDay(ctx.now(), ctx.timeZone);
  const day = url.searchParams.get('on') ?? '';
  const on = isCalendarDay(day) ? day : today;
  const view = url.searchParams.get('view') === 'week' ? 'week' : 'month';
  return { ...(await getCalendar(ctx, view, on)), on, today };
});

export default function CalendarPage() {
  const shown = useLoaderData<typeof loader>();
  useReload();
  return (
    <>
      <PageTitle actions={<Link to="/dashboard/schedule/calendar-feed">Calendar link</Link>}>
        Calendar
      </PageTitle>
      <ScheduleTabs current="calendar" />
      <Calendar {...shown} />
    </>
  );
}
