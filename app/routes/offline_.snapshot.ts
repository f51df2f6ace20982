import { readOfflineSnapshot } from '#app/http/offline.server.ts';
import { forUsersFile } from '#app/http/page.server.ts';

/** What this browser keeps, encrypted, for times without a connection. */
export const loader = forUsersFile(async (args) => Response.json(await readOfflineSnapshot(args)));
