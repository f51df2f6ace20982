import { propose } from '#app/features/proposals/index.server.ts';
import { mcpHandler } from '#app/platform/mcp/mcp-http.server.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';

/** The endpoint for assistants that use the Model Context Protocol. */
const handle = mcpHandler({
  operations: OPERATIONS,
  propose: (ctx, operation, values) => propose(ctx, () => OPERATIONS, operation, values),
});

export const loader = handle;
export const action = handle;
