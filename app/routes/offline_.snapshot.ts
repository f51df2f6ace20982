import { readOfflineSnapshot } from '#app/features/offline/pages.server.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';

/** The data that this browser encrypts and keeps for offline use. */
export const loader = forUsersFile(async (args) => Response.json(await readOfflineSnapshot(args)));
