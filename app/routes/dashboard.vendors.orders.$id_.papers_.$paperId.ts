import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';
import { documentResponse } from '#app/features/vendors/pages.server.ts';
import { readOrderDocument } from '#app/features/vendors/index.server.ts';

/** A document of an order, for its signed-in owner only. */
export const loader = forUsersFile(async ({ ctx, params }) =>
  documentResponse(await readOrderDocument(ctx, params.id ?? '', params.paperId ?? '')),
);
