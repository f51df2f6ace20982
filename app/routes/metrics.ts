import { metricsResponse } from '#app/features/system/metrics-pages.server.ts';
import { withoutPage } from '#app/platform/http/route-handlers.server.ts';

/** Metrics for a monitoring system. */
export const loader = withoutPage(({ request }) => metricsResponse(request));
