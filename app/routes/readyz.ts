import { readinessResponse } from '#app/features/system/metrics-pages.server.ts';
import { withoutPage } from '#app/platform/http/route-handlers.server.ts';

/** Readiness: the database answers. */
export const loader = withoutPage(({ request }) => readinessResponse(request));
