import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { apiStatusOf, AppError, isAppError, publicCode } from '#app/domain/errors.ts';
import { isLoopbackHost } from '#app/domain/settings/settings.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { failure } from '#app/platform/api/answer.server.ts';
import { readJsonBody } from '#app/platform/api/input.server.ts';
import { tokenContext } from '#app/platform/api/call.server.ts';
import { currentApp } from '#app/platform/http/session.server.ts';
import { compressResponse } from '#app/platform/http/render.server.ts';
import type { McpParts } from './mcp-server.server.ts';

/** Codes of JSON-RPC. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** The first of those that are a server's own. */
const REFUSED = -32_000;

/** A refusal as programs that speak JSON-RPC read it. It answers no request by its id: none was read. */
function refusal(status: number, code: number, message: string, more: Record<string, string> = {}): Response {
  const { error, ...headers } = more;
  const body = { jsonrpc: '2.0', id: null, error: { code, message, ...(error && { data: { error } }) } };
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } });
}

function refusalOf(error: unknown, requestId: string): Response {
  const { status, body, headers } = failure(error, requestId);
  const { message } = JSON.parse(body) as { message: string };
  const name = isAppError(error) ? publicCode(error) : 'INTERNAL';
  return refusal(status, REFUSED, message, { ...headers, error: name });
}

/**
 * Refuses a name that this server does not go by: a page elsewhere whose name was made to lead here would ask under its
 * own.
 * @throws AppError FOREIGN_ORIGIN
 */
function requireOwnName(request: Request): void {
  const { hostname } = new URL(request.url);
  if (hostname === new URL(currentApp().settings.APP_URL).hostname || isLoopbackHost(hostname)) return;
  throw new AppError(
    'FOREIGN_ORIGIN',
    'This server does not go by this name. Ask for it at its own address.',
  );
}

/** The one message of a request, or the refusal of what is none. Several at once are not part of the protocol any more. */
async function readMessage(request: Request): Promise<Record<string, unknown> | Response> {
  try {
    return await readJsonBody(request);
  } catch (error) {
    if (!isAppError(error)) throw error;
    const code = error.code !== 'INVALID_INPUT' || error.cause === undefined ? INVALID_REQUEST : PARSE_ERROR;
    return refusal(apiStatusOf(error.code), code, error.message, { error: error.code });
  }
}

/** What the transport of the SDK asks of every request; whoever sends JSON understands JSON. */
function forTransport({ url, headers: sent }: Request): Request {
  const headers = new Headers(sent);
  headers.delete('Content-Length');
  headers.set('Content-Type', 'application/json');
  headers.set('Accept', 'application/json, text/event-stream');
  return new Request(url, { method: 'POST', headers });
}

/** Answers one message with a server of its own: nothing is kept from one request to the next. */
async function answer(request: Request, message: unknown, parts: McpParts): Promise<Response> {
  // The SDK is loaded by the first program that asks, not by every start.
  const { createMcpServer, WebStandardStreamableHTTPServerTransport } =
    await import('./mcp-over-http.server.ts');
  const server = createMcpServer(parts);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    return await transport.handleRequest(forTransport(request), { parsedBody: message });
  } finally {
    await server.close();
  }
}

/**
 * The door for programs that speak MCP over HTTP: each POST brings one message and a personal token.
 * @param parts what the server offers, without the caller, whom the token names
 */
export function mcpHandler(parts: Pick<McpParts, 'operations' | 'propose'>) {
  return async ({ request, context }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> => {
    if (request.method !== 'POST')
      return refusal(405, REFUSED, 'This address takes POST.', {
        Allow: 'POST',
        error: 'METHOD_NOT_ALLOWED',
      });
    try {
      requireOwnName(request);
      const ctx: Ctx = await tokenContext(request, context);
      const message = await readMessage(request);
      if (message instanceof Response) return message;
      const caller = () => Promise.resolve(ctx);
      const response = await answer(request, message, { ...parts, caller, appUrl: ctx.appUrl });
      response.headers.set('Cache-Control', 'no-store');
      return await compressResponse(request, response);
    } catch (error) {
      return refusalOf(error, context.requestId);
    }
  };
}
