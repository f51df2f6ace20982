import { redirect } from '@remix-run/node';
import { done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { cancelDeletion } from '#app/features/accounts/index.server.ts';

/** Keeping the account changes something, so it takes a POST; a GET redirects to the profile. */
export const loader = forUsers(() => redirect('/dashboard/profile'));

export const action = forUsers(async ({ ctx }) => {
  await cancelDeletion(ctx);
  throw await done('/dashboard/profile', 'Your account will not be deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';
