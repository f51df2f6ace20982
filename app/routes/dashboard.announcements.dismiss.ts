import { redirect } from '@remix-run/node';
import { dismissFormSchema } from '#app/domain/system/announcement.ts';
import { submit, toErrorPage } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { safeRedirect } from '#app/platform/http/addresses.ts';
import { dismissAnnouncement } from '#app/features/system/index.server.ts';

/** There is no page here: announcements are shown above the dashboard's pages. */
export const loader = forUsers((): never => {
  throw redirect('/dashboard');
});

/** Dismisses an announcement and returns to the page that showed it. */
export const action = forUsers(({ request, ctx }) =>
  submit(
    request,
    dismissFormSchema,
    async ({ id, redirectTo }) => {
      await dismissAnnouncement(ctx, id);
      return redirect(safeRedirect(redirectTo));
    },
    { refused: toErrorPage },
  ),
);

export { clientAction } from '#app/ui/connection/client-action.ts';
