import type { ErrorCode } from '#app/domain/errors.ts';
import { STATUS } from '#app/platform/http/status.ts';

/** The statuses of the JSON API (decisions, section 17): the pages' but where a script needs to know more. */
export const API_STATUS: Record<ErrorCode, number> = {
  ...STATUS,
  INVALID_CREDENTIALS: 401,
  PREMIUM_REQUIRED: 402,
  PLAN_LIMIT: 402,
};
