import { redirect } from '@remix-run/node';
import { withoutPage } from '#app/platform/http/route-handlers.server.ts';

/** Where password managers send people (https://w3c.github.io/webappsec-change-password-url/). */
export const loader = withoutPage(() => redirect('/dashboard/profile/password'));
