import { redirect } from '@remix-run/node';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';

/** The dashboard redirects visitors to the sign-in. */
export const loader = forEveryone(() => {
  throw redirect('/admin/dashboard');
});
