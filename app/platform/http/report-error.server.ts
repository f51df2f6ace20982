import { isRouteErrorResponse } from '@remix-run/react';
import type { Logger } from 'pino';
import { isAppError } from '#app/domain/errors.ts';
import { currentLog } from '#app/platform/log/log.server.ts';

function isExpected(error: unknown): boolean {
  return (
    isAppError(error) || error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)
  );
}

/** Logs a defect once, with its request's id; what was thrown on purpose is an answer, not a defect. */
export function reportError(error: unknown, fields: { requestId?: string }): void {
  const log: Pick<Logger, 'error'> = currentLog();
  if (!isExpected(error)) log.error({ err: error, ...fields }, 'unexpected error');
}
