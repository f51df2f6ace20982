import type { LoaderFunctionArgs } from '@remix-run/node';
import { readinessResponse } from '#app/features/system/metrics-pages.server.ts';

/** Readiness: the database answers. */
export function loader({ request }: LoaderFunctionArgs) {
  return readinessResponse(request);
}
