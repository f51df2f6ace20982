import { documentHandler } from '#app/platform/api/route.server.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';

const handle = documentHandler(OPERATIONS, '3.0');

export const loader = handle;
export const action = handle;
