import { redirect } from '@remix-run/node';
import { takeOfflineEntry } from '#app/features/offline/pages.server.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';

/** What waits is shown by the page itself. */
export function loader() {
  return redirect('/offline');
}

/** Takes one entry that was written down without a connection. */
export const action = forUsersFile(takeOfflineEntry);
