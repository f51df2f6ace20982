import { isRouteErrorResponse } from '@remix-run/react';

/** What a loader or action said when it refused, if it is meant to be read. */
export function thrownMessage(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const body: unknown = error.data;
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof message === 'string' ? message : undefined;
}
