import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { dosePath, REMINDERS_PATH, ReminderPage } from '#app/features/reminders/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { reminderView } from '#app/domain/reminders/reminder-texts.ts';
import { REMINDER_MESSAGES, reminderFormSchema } from '#app/domain/reminders/reminder-schema.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { changeReminder, getReminder } from '#app/features/reminders/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Reminder – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) => {
  const { isOpen, slot, ...reminder } = await getReminder(ctx, params.id ?? '');
  return { reminder: reminderView(reminder, ctx.now(), user.timeZone), isOpen, slot };
});

/** Marks it as read, or snoozes it. */
export const action = forPremiumUsers(({ request, ctx, params }) =>
  submit(request, reminderFormSchema, async (input) => {
    const { intent, reminder } = await changeReminder(ctx, params.id ?? '', input);
    if (intent === 'snooze') return done(REMINDERS_PATH, REMINDER_MESSAGES.snoozed);
    const [doseId, ...others] = reminder?.doseIds ?? [];
    const path = others.length > 0 ? '/dashboard/schedule' : doseId && dosePath(doseId);
    return done(path ?? REMINDERS_PATH, REMINDER_MESSAGES.read);
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function OneReminder() {
  const { reminder, isOpen, slot } = useLoaderData<typeof loader>();
  const errors = useActionData<typeof action>()?.lastResult.error;
  return (
    <>
      <PageTitle>Reminder</PageTitle>
      <ReminderPage
        reminder={reminder}
        isOpen={isOpen}
        slot={slot}
        error={Object.values(errors ?? {}).flat()[0] ?? undefined}
      />
    </>
  );
}
