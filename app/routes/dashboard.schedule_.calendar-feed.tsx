import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { FeedForms, FeedLink, NewFeedForm } from '#app/features/schedules/index.ts';
import { ScheduleTabs } from '#app/features/schedules/index.ts';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { calendarFeedSchema, FEED_MESSAGES } from '#app/domain/schedules/calendar-feed-schema.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { changeCalendarFeed, findCalendarFeed } from '#app/features/schedules/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Calendar link – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user }) => {
  const feed = await findCalendarFeed(ctx);
  if (feed === null) return { feed };
  const { createdAt, ...choices } = feed;
  return { feed: { ...choices, since: shownInstant(createdAt, user.timeZone) } };
});

/** A new link is shown in the response itself instead of after a redirect, because it is only shown once. */
export const action = forPremiumUsers(({ request, ctx }) =>
  submit(request, calendarFeedSchema, async (input) => {
    const link = await changeCalendarFeed(ctx, input);
    if (link === null) return done('/dashboard/schedule/calendar-feed', FEED_MESSAGES.changed);
    return data({ link });
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function CalendarFeedPage() {
  const { feed } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <>
      <PageTitle>Calendar link</PageTitle>
      <ScheduleTabs current="calendar" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 py-4">
        {answer && 'link' in answer ? <FeedLink link={answer.link} /> : null}
        {answer && 'lastResult' in answer ? (
          <ErrorSummary errors={answer.lastResult.error?.[''] ?? [FEED_MESSAGES.privacy]} />
        ) : null}
        {feed === null ? <NewFeedForm /> : <FeedForms key={`${feed.privacy} ${feed.alarms}`} {...feed} />}
      </div>
    </>
  );
}
