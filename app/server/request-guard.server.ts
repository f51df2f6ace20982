import type { Request, Response, RequestHandler } from 'express';
import { isLoopbackAddress } from '#app/domain/settings/settings.ts';
import { isApiPath, isMcpPath, limitProblem, type Refusal } from '#app/platform/http/request-rules.ts';

/** How much of a rejected body is still read, so that the sender reads the response. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** A JSON-RPC error without a request id. */
const asRpc = (code: string, message: string) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_000, message, data: { error: code } },
});

/**
 * Responds before any page code runs: with a short text, since the caller is not a person using the site, or in the format
 * that programs expect. The rest of the body is read and dropped first, because closing the connection early would lose the
 * response.
 */
export function refuse(request: Request, response: Response, refusal: Refusal): void {
  const { status, code, message, headers = {} } = refusal;
  let left = MAX_DISCARDED_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) request.destroy();
  });
  request.once('end', () => {
    response.set({ 'Cache-Control': 'no-store', ...headers });
    response.status(status);
    if (isApiPath(request.path)) response.json({ success: false, error: code, message });
    else if (isMcpPath(request.path)) response.json(asRpc(code, message));
    else response.type('text/plain').send(`${message}\n`);
  });
}

/** Headers by which a client could pretend to be a proxy. */
const FORWARDED = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'forwarded',
];

/** Other headers that proxies add. */
const PROXY_MARKS = ['via', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip'];

/**
 * Whether a request comes from this machine: judged by the socket, not by its `Host`, and not through a proxy, behind which
 * could be anyone.
 */
function isFromThisMachine({ socket, headers }: Request): boolean {
  const isForwarded = [...FORWARDED, ...PROXY_MARKS].some((name) => headers[name] !== undefined);
  return !isForwarded && isLoopbackAddress(socket.remoteAddress ?? '');
}

/** Drops forwarding headers unless a proxy is trusted, and refuses what no page or call accepts before its body is read. */
export function limitRequest(options: { trustProxy: boolean }): RequestHandler {
  return (request, response, next) => {
    response.locals.isThisMachine = isFromThisMachine(request);
    if (!options.trustProxy) for (const name of FORWARDED) delete request.headers[name];
    const { method, path, url } = request;
    const problem = limitProblem({ method, path, url, header: (name) => request.get(name) });
    if (problem === null) return next();
    return refuse(request, response, problem);
  };
}

/**
 * Keeps the `Origin` from Remix, whose own check compares it with `Host` alone and answers a difference, such as behind a proxy, with
 * an empty 500. Every loader and action checks it (`guard.server.ts`).
 */
export const keepOrigin: RequestHandler = (request, response, next) => {
  response.locals.origin = request.get('origin') ?? null;
  delete request.headers.origin;
  next();
};
