import { reminderView } from '#app/domain/reminder/view.ts';
import { readForm } from '#app/http/form.server.ts';
import { forUsersFile } from '#app/http/page.server.ts';
import { markShown, unshownReminders } from '#app/services/reminders.server.ts';

/** What an open page asks every minute: reminders to show as notifications of the browser. */
export const loader = forUsersFile(async ({ ctx, user }) => {
  const now = ctx.now();
  const reminders = await unshownReminders(ctx);
  const shown = reminders.map((one) => reminderView(one, now, user.timeZone));
  return Response.json({ reminders: shown });
});

/** Says which of them were shown. */
export const action = forUsersFile(async ({ request, ctx }) => {
  const ids = (await readForm(request)).getAll('ids').map(String);
  await markShown(ctx, { ids });
  return Response.json({ shown: ids.length });
});
