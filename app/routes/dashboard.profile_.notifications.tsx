import type { MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { NotificationsForm, ProfileSubPage } from '#app/features/accounts/index.ts';
import { MuteToday, NtfyLine, PushBrowsers } from '#app/features/reminders/index.ts';
import { PUSH_MESSAGES } from '#app/domain/reminders/push-schema.ts';
import { Notice } from '#app/ui/notice.tsx';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { NOTIFICATION_MESSAGES, notificationPageSchema } from '#app/domain/reminders/notification-choices.ts';
import { done, submit } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import {
  getNotificationChoices,
  updateNotificationChoices,
} from '#app/platform/mail/notification-choices.server.ts';
import { findNtfyTopic, listPushBrowsers, sendPushTest } from '#app/features/reminders/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Notifications – Vialbook' }];

const PATH = '/dashboard/profile/notifications';

export const loader = forUsers(async ({ ctx, user }) => {
  const { mutedUntil, ...choices } = await getNotificationChoices(ctx, user.id);
  const browsers = await listPushBrowsers(ctx);
  return {
    choices,
    isMuted: (mutedUntil ?? 0) > ctx.now(),
    isPremium: user.entitlement.isPremium,
    ntfy: await findNtfyTopic(ctx),
    browsers: browsers.map(({ id, browser, createdAt, provenAt }) => ({
      id,
      browser,
      since: shownInstant(createdAt, user.timeZone),
      proven: provenAt && shownInstant(provenAt, user.timeZone),
    })),
  };
});

export const action = forUsers(({ request, ctx }) =>
  submit(request, notificationPageSchema, async (input) => {
    switch (input.intent) {
      case 'mute':
        await updateNotificationChoices(ctx, { muted: true });
        return done(PATH, NOTIFICATION_MESSAGES.muted);
      case 'unmute':
        await updateNotificationChoices(ctx, { muted: false });
        return done(PATH, NOTIFICATION_MESSAGES.unmuted);
      case 'test': {
        const reason = await sendPushTest(ctx, input.id);
        return reason === null
          ? done(`${PATH}?tested=1`, PUSH_MESSAGES.tested)
          : done(PATH, `Not sent: ${reason}`);
      }
      default:
        await updateNotificationChoices(ctx, input);
        return done(PATH, NOTIFICATION_MESSAGES.saved);
    }
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Notifications() {
  const { choices, isMuted, isPremium, browsers, ntfy } = useLoaderData<typeof loader>();
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
      {isPremium ? <MuteToday isMuted={isMuted} action={PATH} /> : null}
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
