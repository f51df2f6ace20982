import type { LoaderFunctionArgs } from '@remix-run/node';
import { metricsResponse } from '#app/http/metrics.server.ts';

/** Figures for a monitoring system. */
export function loader({ request }: LoaderFunctionArgs) {
  return metricsResponse(request);
}
