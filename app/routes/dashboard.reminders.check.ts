import { shownSchema } from '#app/domain/reminders/reminder-schema.ts';
import { reminderView } from '#app/domain/reminders/reminder-texts.ts';
import { submit, toErrorPage } from '#app/platform/http/forms.server.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';
import { markRemindersShown, listUnshownReminders } from '#app/features/reminders/index.server.ts';

/** Polled every minute by open pages: reminders to show as browser notifications. */
export const loader = forUsersFile(async ({ ctx, user }) => {
  const now = ctx.now();
  const reminders = await listUnshownReminders(ctx);
  const shown = reminders.map((one) => reminderView(one, now, user.timeZone));
  return Response.json({ reminders: shown });
});

/** Records which of them were shown. */
export const action = forUsersFile(({ request, ctx }) =>
  submit(
    request,
    shownSchema,
    async (input) => {
      await markRemindersShown(ctx, input);
      return Response.json({ shown: input.ids.length });
    },
    { refused: toErrorPage },
  ),
);
