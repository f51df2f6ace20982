import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import {
  MuteToday,
  NoReminders,
  ReadAllForm,
  ReminderFilter,
  ReminderList,
  REMINDERS_PATH,
} from '#app/features/reminders/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';
import { reminderView } from '#app/domain/reminders/reminder-texts.ts';
import { REMINDER_MESSAGES } from '#app/domain/reminders/reminder-schema.ts';
import { NOTIFICATION_MESSAGES, reminderListFormSchema } from '#app/domain/reminders/notification-choices.ts';
import { done, submit, toErrorPage } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import {
  getNotificationChoices,
  updateNotificationChoices,
} from '#app/platform/mail/notification-choices.server.ts';
import { listReminders, markAllRemindersRead } from '#app/features/reminders/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Reminders – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, url }) => {
  const { page, unread } = Object.fromEntries(url.searchParams);
  const list = await listReminders(ctx, { page, unread });
  const now = ctx.now();
  const { mutedUntil } = await getNotificationChoices(ctx, user.id);
  const address = (to: number) => `?${new URLSearchParams({ ...(unread && { unread }), page: String(to) })}`;
  return {
    reminders: list.reminders.map((reminder) => reminderView(reminder, now, user.timeZone)),
    isMuted: (mutedUntil ?? 0) > now,
    unreadOnly: list.unreadOnly,
    total: list.total,
    previous: list.page > 1 ? address(list.page - 1) : null,
    next: list.page * list.limit < list.total ? address(list.page + 1) : null,
  };
});

/** Marks all as read, or mutes today. */
export const action = forPremiumUsers(({ request, ctx }) =>
  submit(
    request,
    reminderListFormSchema,
    async ({ intent }) => {
      switch (intent) {
        case 'mute':
          await updateNotificationChoices(ctx, { muted: true });
          return done(REMINDERS_PATH, NOTIFICATION_MESSAGES.muted);
        case 'unmute':
          await updateNotificationChoices(ctx, { muted: false });
          return done(REMINDERS_PATH, NOTIFICATION_MESSAGES.unmuted);
        default:
          await markAllRemindersRead(ctx);
          return done(REMINDERS_PATH, REMINDER_MESSAGES.allRead);
      }
    },
    { refused: toErrorPage },
  ),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Reminders() {
  const { reminders, isMuted, unreadOnly, previous, next } = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle>Reminders</PageTitle>
      <div className="flex flex-wrap items-center justify-between gap-3 py-3">
        <ReminderFilter unreadOnly={unreadOnly} />
        {reminders.some(({ isRead }) => !isRead) ? <ReadAllForm /> : null}
        <MuteToday isMuted={isMuted} action={`${REMINDERS_PATH}?index`} />
      </div>
      <h2 className="sr-only">{unreadOnly ? 'Unread reminders' : 'All reminders'}</h2>
      {reminders.length === 0 ? (
        <NoReminders unreadOnly={unreadOnly} />
      ) : (
        <ReminderList reminders={reminders} />
      )}
      <Pagination label="Reminders" previousHref={previous ?? undefined} nextHref={next ?? undefined} />
    </>
  );
}
