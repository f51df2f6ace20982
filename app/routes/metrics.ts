import type { LoaderFunctionArgs } from '@remix-run/node';
import { metricsResponse } from '#app/features/system/metrics-pages.server.ts';

/** Figures for a monitoring system. */
export function loader({ request }: LoaderFunctionArgs) {
  return metricsResponse(request);
}
