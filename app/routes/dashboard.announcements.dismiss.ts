import { redirect } from '@remix-run/node';
import { formText, readForm } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { safeRedirect } from '#app/platform/http/addresses.ts';
import { dismissAnnouncement } from '#app/features/system/index.server.ts';

/** There is nothing to see here: announcements stand above the dashboard's pages. */
export const loader = forUsers((): never => {
  throw redirect('/dashboard');
});

/** Puts an announcement away and goes back to the page it stood on. */
export const action = forUsers(async ({ request, ctx }) => {
  const form = await readForm(request);
  await dismissAnnouncement(ctx, formText(form, 'id'));
  throw redirect(safeRedirect(formText(form, 'redirectTo')));
});
