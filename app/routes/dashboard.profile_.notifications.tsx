import type { MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { NotificationsForm, ProfileSubPage } from '#app/features/accounts/index.ts';
import { NtfyLine, PushBrowsers } from '#app/features/reminders/index.ts';
import { Notice } from '#app/ui/notice.tsx';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { submitNotifications } from '#app/features/accounts/profile-pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { findNtfyTopic, listPushBrowsers } from '#app/features/reminders/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Notifications – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => {
  const browsers = await listPushBrowsers(ctx);
  return {
    choices: await getNotificationChoices(ctx, user.id),
    isPremium: user.entitlement.isPremium,
    ntfy: await findNtfyTopic(ctx),
    browsers: browsers.map(({ id, browser, createdAt }) => {
      return { id, browser, since: shownInstant(createdAt, user.timeZone) };
    }),
  };
});

export const action = forUsers((page) => submitNotifications(page, '/dashboard/profile/notifications'));

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Notifications() {
  const { choices, isPremium, browsers, ntfy } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <ProfileSubPage title="Notifications">
      {isPremium ? null : (
        <Notice>
          <p>
            {'Reminders are part of Premium. Your choices here take effect as soon as you have it. '}
            <Link to="/upgrade">See the plans</Link>
          </p>
        </Notice>
      )}
      <NotificationsForm key={JSON.stringify(choices)} choices={choices} lastResult={lastResult} />
      {isPremium || browsers.length > 0 ? <PushBrowsers browsers={browsers} /> : null}
      {isPremium || ntfy !== null ? <NtfyLine topic={ntfy} /> : null}
      {isPremium ? (
        <p className="mt-6">
          <Link to="/dashboard/schedule/calendar-feed" className="inline-flex min-h-11 items-center">
            Link for your calendar app
          </Link>
        </p>
      ) : null}
    </ProfileSubPage>
  );
}
