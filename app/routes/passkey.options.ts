import { redirect } from '@remix-run/node';
import { passkeyOptionsAnswer } from '#app/features/accounts/sign-in-pages.server.ts';
import { forEveryoneFile, withoutPage } from '#app/platform/http/route-handlers.server.ts';

/** Challenges are created by a POST; a GET redirects to the sign-in page. */
export const loader = withoutPage(() => redirect('/login'));

/** Options for the browser to use or create a passkey. They do not reveal whether an account exists. */
export const action = forEveryoneFile(passkeyOptionsAnswer);
