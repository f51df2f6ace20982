import { apiHandler } from '#app/platform/api/route.server.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';

/** Every call of the JSON API; each says its path and method in its own `operation()`. */
const handle = apiHandler(OPERATIONS);

export const loader = handle;
export const action = handle;
