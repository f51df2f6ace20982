import { redirect } from '@remix-run/node';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';

/** The dashboard sends whoever may not see it on to the sign-in. */
export const loader = forEveryone(() => {
  throw redirect('/admin/dashboard');
});
