import { readLotDocument } from '#app/features/lots/index.server.ts';
import { documentResponse } from '#app/features/vendors/pages.server.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';

/** A document of a lot, for its signed-in owner only. */
export const loader = forUsersFile(async ({ ctx, params }) =>
  documentResponse(await readLotDocument(ctx, params['id'] ?? '', params['paperId'] ?? '')),
);
