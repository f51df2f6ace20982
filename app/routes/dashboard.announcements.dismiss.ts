import { redirect } from '@remix-run/node';
import { formText, readForm } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { safeRedirect } from '#app/platform/http/addresses.ts';
import { dismissAnnouncement } from '#app/features/system/index.server.ts';

/** There is no page here: announcements are shown above the dashboard's pages. */
export const loader = forUsers((): never => {
  throw redirect('/dashboard');
});

/** Dismisses an announcement and returns to the page that showed it. */
export const action = forUsers(async ({ request, ctx }) => {
  const form = await readForm(request);
  await dismissAnnouncement(ctx, formText(form, 'id'));
  throw redirect(safeRedirect(formText(form, 'redirectTo')));
});

export { clientAction } from '#app/ui/connection/client-action.ts';
