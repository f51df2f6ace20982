import { redirect } from '@remix-run/node';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';
import { makeOfflineSecret } from '#app/features/offline/index.server.ts';

/** A secret is made by a POST; who opens the address goes to the page. */
export function loader() {
  return redirect('/offline');
}

/** Gives this browser the secret of its store, once; what is sent is kept nowhere. */
export const action = forUsersFile(({ ctx }) => Promise.resolve(Response.json(makeOfflineSecret(ctx))));
