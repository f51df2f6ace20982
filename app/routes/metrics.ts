import type { LoaderFunctionArgs } from '@remix-run/node';
import { metricsResponse } from '#app/features/system/metrics-pages.server.ts';

/** Metrics for a monitoring system. */
export function loader({ request }: LoaderFunctionArgs) {
  return metricsResponse(request);
}
