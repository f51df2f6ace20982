import { redirect } from '@remix-run/node';
import { takeOfflineEntry } from '#app/features/offline/pages.server.ts';
import { forUsersFile, withoutPage } from '#app/platform/http/route-handlers.server.ts';

/** The page itself shows the waiting entries. */
export const loader = withoutPage(() => redirect('/offline'));

/** Receives one entry that was logged offline. */
export const action = forUsersFile(takeOfflineEntry);
