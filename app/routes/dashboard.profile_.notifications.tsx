import type { MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { NotificationsForm, ProfileSubPage } from '#app/features/accounts/index.ts';
import { PushBrowsers } from '#app/features/reminders/index.ts';
import { Notice } from '#app/ui/notice.tsx';
import {
  NOTIFICATION_MESSAGES,
  notificationFormSchema,
} from '#app/domain/reminders/notification-choices-schema.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';
import { done } from '#app/platform/http/toast.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { formAgain, submitForm } from '#app/platform/http/forms.server.ts';
import {
  getNotificationChoices,
  updateNotificationChoices,
} from '#app/platform/mail/notification-choices.server.ts';
import { listPushBrowsers } from '#app/features/reminders/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Notifications – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => {
  const browsers = await listPushBrowsers(ctx);
  return {
    choices: await getNotificationChoices(ctx, user.id),
    isPremium: user.entitlement.isPremium,
    browsers: browsers.map(({ id, browser, createdAt }) => {
      return { id, browser, since: shownInstant(createdAt, user.timeZone) };
    }),
  };
});

export const action = forUsers(async ({ request, ctx }) => {
  const submitted = await submitForm(request, notificationFormSchema, (input) =>
    updateNotificationChoices(ctx, input),
  );
  if (!submitted.ok) return formAgain(submitted);
  throw await done('/dashboard/profile/notifications', NOTIFICATION_MESSAGES.saved);
});

export default function Notifications() {
  const { choices, isPremium, browsers } = useLoaderData<typeof loader>();
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
