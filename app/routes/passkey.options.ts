import { redirect } from '@remix-run/node';
import { passkeyOptionsAnswer } from '#app/features/accounts/sign-in-pages.server.ts';
import { forEveryoneFile } from '#app/platform/http/route-handlers.server.ts';

/** A challenge is made by a POST; who opens the address goes to the page. */
export function loader() {
  return redirect('/login');
}

/** What a browser's script needs to use or make a passkey. It tells nobody whether an account exists. */
export const action = forEveryoneFile(passkeyOptionsAnswer);
