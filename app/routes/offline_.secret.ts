import { redirect } from '@remix-run/node';
import { forUsersFile, withoutPage } from '#app/platform/http/route-handlers.server.ts';
import { makeOfflineSecret } from '#app/features/offline/index.server.ts';

/** Only a POST makes a secret; opening the address shows the page. */
export const loader = withoutPage(() => redirect('/offline'));

/** Gives this browser the secret of its store, which is not stored anywhere. */
export const action = forUsersFile(({ ctx }) => Promise.resolve(Response.json(makeOfflineSecret(ctx))));
