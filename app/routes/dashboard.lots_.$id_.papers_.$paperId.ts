import { readLotPaper } from '#app/features/lots/index.server.ts';
import { paperResponse } from '#app/features/vendors/pages.server.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';

/** A paper of a lot, for the session of its owner alone. */
export const loader = forUsersFile(async ({ ctx, params }) =>
  paperResponse(await readLotPaper(ctx, params['id'] ?? '', params['paperId'] ?? '')),
);
