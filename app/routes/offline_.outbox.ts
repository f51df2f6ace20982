import { redirect } from '@remix-run/node';
import { takeOfflineEntry } from '#app/features/offline/pages.server.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';

/** The page itself shows the waiting entries. */
export function loader() {
  return redirect('/offline');
}

/** Receives one entry that was logged offline. */
export const action = forUsersFile(takeOfflineEntry);
