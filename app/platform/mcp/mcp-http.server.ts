import { apiStatusOf, AppError, isAppError, publicCode } from '#app/domain/errors.ts';
import { offersConnections, resourceMetadataUrl, scopeText } from '#app/domain/accounts/connection.ts';
import { isLoopbackHost } from '#app/domain/settings/settings.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { failure } from '#app/platform/api/answer.server.ts';
import { readJsonBody } from '#app/platform/api/input.server.ts';
import { tokenContext } from '#app/platform/api/call.server.ts';
import { forPrograms } from '#app/platform/api/cross-origin.server.ts';
import { MCP_METHODS } from '#app/platform/http/request-rules.ts';
import { currentApp } from '#app/platform/http/session.server.ts';
import { compressResponse } from '#app/platform/http/render.server.ts';
import type { McpParts } from './mcp-server.server.ts';

const METHODS = MCP_METHODS.join(', ');

/** JSON-RPC error codes. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** The first of the server-defined codes. */
const REFUSED = -32_000;

/** A JSON-RPC error. It has no request id because no request was read. */
function refusal(status: number, code: number, message: string, more: Record<string, string> = {}): Response {
  const { error, ...headers } = more;
  const body = { jsonrpc: '2.0', id: null, error: { code, message, ...(error && { data: { error } }) } };
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } });
}

/** How to get in: where connections are offered, it leads a client to the page that asks the user (RFC 9728). */
function challenge(): string {
  const { APP_URL } = currentApp().settings;
  const plain = 'Bearer realm="vialbook"';
  if (!offersConnections(APP_URL)) return plain;
  return `${plain}, resource_metadata="${resourceMetadataUrl(APP_URL)}", scope="${scopeText('write')}"`;
}

function refusalOf(error: unknown, requestId: string): Response {
  const { status, body, headers } = failure(error, requestId);
  const { message } = JSON.parse(body) as { message: string };
  const name = isAppError(error) ? publicCode(error) : 'INTERNAL';
  const allow = status === 405 && { Allow: METHODS };
  const ask = status === 401 && { 'WWW-Authenticate': challenge() };
  return refusal(status, REFUSED, message, { ...headers, ...allow, ...ask, error: name });
}

/**
 * Rejects a foreign host name, as protection against DNS rebinding: a page elsewhere whose name resolves to this server
 * would send its own name.
 * @throws AppError FOREIGN_ORIGIN
 */
function requireOwnName(request: Request): void {
  const { hostname } = new URL(request.url);
  if (hostname === new URL(currentApp().settings.APP_URL).hostname || isLoopbackHost(hostname)) return;
  throw new AppError(
    'FOREIGN_ORIGIN',
    'This host name does not belong to this server. Use the server’s own address.',
  );
}

/** The message of a request, or the error if there is none. The protocol no longer allows several at once. */
async function readMessage(request: Request): Promise<Record<string, unknown> | Response> {
  try {
    return await readJsonBody(request);
  } catch (error) {
    if (!isAppError(error)) throw error;
    const code = error.code !== 'INVALID_INPUT' || error.cause === undefined ? INVALID_REQUEST : PARSE_ERROR;
    return refusal(apiStatusOf(error.code), code, error.message, { error: error.code });
  }
}

/** Adds the headers that the SDK's transport requires; clients that send JSON also accept it. */
function forTransport({ url, headers: sent }: Request): Request {
  const headers = new Headers(sent);
  headers.delete('Content-Length');
  headers.set('Content-Type', 'application/json');
  headers.set('Accept', 'application/json, text/event-stream');
  return new Request(url, { method: 'POST', headers });
}

/** Answers one message with a new server, so that nothing is kept between requests. */
async function answer(request: Request, message: unknown, parts: McpParts): Promise<Response> {
  // The SDK is loaded with the first request, not at startup.
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
 * MCP over HTTP: each POST contains one message and a personal token; `?toolsets=` chooses which tools are listed.
 * @param parts what the server offers; the caller comes from the token
 */
export function mcpHandler(parts: Pick<McpParts, 'operations' | 'propose'>) {
  return forPrograms(
    async ({ request, context }) => {
      if (request.method === 'OPTIONS')
        return new Response(null, { status: 204, headers: { Allow: METHODS } });
      try {
        requireOwnName(request);
        const ctx: Ctx = await tokenContext(request, context);
        const message = await readMessage(request);
        if (message instanceof Response) return message;
        const caller = () => Promise.resolve(ctx);
        const response = await answer(request, message, {
          ...parts,
          caller,
          appUrl: ctx.appUrl,
          isSelling: ctx.isSelling,
          toolsets: new URL(request.url).searchParams.get('toolsets'),
          mayPropose: ctx.actor.kind === 'user' && ctx.actor.apiToken?.scope !== 'read',
        });
        response.headers.set('Cache-Control', 'no-store');
        return await compressResponse(request, response);
      } catch (error) {
        return refusalOf(error, context.requestId);
      }
    },
    (error, { context }) => refusalOf(error, context.requestId),
  );
}
