import { forUsersFile } from '#app/http/page.server.ts';
import { paperResponse } from '#app/http/paper-response.ts';
import { readOrderPaper } from '#app/services/order-papers.server.ts';

/** A paper of an order, for the session of its owner alone. */
export const loader = forUsersFile(async ({ ctx, params }) =>
  paperResponse(await readOrderPaper(ctx, params.id ?? '', params.paperId ?? '')),
);
