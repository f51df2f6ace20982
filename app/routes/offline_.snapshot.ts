import { readOfflineSnapshot } from '#app/features/offline/pages.server.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';

/** What this browser keeps, encrypted, for times without a connection. */
export const loader = forUsersFile(async (args) => Response.json(await readOfflineSnapshot(args)));
