import type { Request, Response, RequestHandler } from 'express';
import { isLoopbackAddress } from '#app/domain/settings/settings.ts';

/** How much of a rejected body is still read, so that the sender reads the response. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** A response sent before any page or call runs. */
interface Refusal {
  status: number;
  /** The API's error code. */
  code: string;
  message: string;
  headers?: Record<string, string>;
}

const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

const isMcpPath = (path: string): boolean => path === '/mcp' || path === '/mcp/';

/** True for addresses used by programs, which send a token and no Origin. */
export const isProgramPath = (path: string): boolean => isApiPath(path) || isMcpPath(path);

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

/** Largest body of a form or JSON call, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Addresses that accept more, with their limits in bytes. */
const LARGER: readonly { path: RegExp; bytes: number }[] = [
  // Pictures and documents may have 5 MB; slightly larger ones still reach the page, which explains the limit.
  { path: /^\/dashboard\/tracking\/side-effects\/[^/]+\/images(\.data)?$/, bytes: 8 * 1024 * 1024 },
  { path: /^\/dashboard\/(vendors\/orders|lots)\/[^/]+\/papers(\.data)?$/, bytes: 8 * 1024 * 1024 },
  { path: /^\/api\/(orders|lots)\/[^/]+\/papers$/, bytes: 8 * 1024 * 1024 },
  // A file to import has at most 32 MB.
  { path: /^\/dashboard\/import(\.data)?$/, bytes: 36 * 1024 * 1024 },
  { path: /^\/api\/import$/, bytes: 36 * 1024 * 1024 },
  { path: /^\/api\/side-effects\/[^/]+\/images$/, bytes: 8 * 1024 * 1024 },
];

/** The largest body, in bytes, for a path. */
export function bodyLimit(path: string): number {
  return LARGER.find((entry) => entry.path.test(path))?.bytes ?? MAX_BODY_BYTES;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const PAGE_METHODS = ['GET', 'HEAD', 'POST'];
const API_METHODS = [...PAGE_METHODS, 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

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

const HOST = /^(?:[a-z0-9.\-_]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

/** True for a name or address with a valid port, or without one. */
function isHost(text: string): boolean {
  const [host, port = '0'] = HOST.exec(text) ?? [];
  return host !== undefined && Number(port) <= 65_535;
}

/** Largest path, in bytes. The longest of ours, with a secret in it, has a tenth. */
export const MAX_PATH_BYTES = 2048;

/** Most segments of a path. Routers try every route with every one of them. */
export const MAX_PATH_SEGMENTS = 12;

/** True if there can be a page or call at this path, judged before anything decodes or matches it. */
const isShortPath = (path: string): boolean =>
  path.length <= MAX_PATH_BYTES && path.split('/').length - 1 <= MAX_PATH_SEGMENTS;

/**
 * False for a full URL instead of a path (used only with proxies), for broken percent-encoding or a NUL, and for Remix 1's
 * data query.
 */
function isReadableAddress(url: string): boolean {
  const [path = '', query = ''] = url.split('?', 2);
  if (!path.startsWith('/')) return false;
  try {
    if (decodeURIComponent(path).includes('\0')) return false;
  } catch {
    return false;
  }
  return !new URLSearchParams(query).has('_data');
}

const refusal = (status: number, code: string, message: string, headers = {}): Refusal => ({
  status,
  code,
  message,
  headers,
});

function problemOf(request: Request): Refusal | null {
  if (!isShortPath(request.path)) return refusal(404, 'NOT_FOUND', '404 - Page Not Found');
  const isApi = isApiPath(request.path);
  const methods = isApi ? API_METHODS : PAGE_METHODS;
  if (!methods.includes(request.method))
    return refusal(405, 'METHOD_NOT_ALLOWED', 'Method not allowed.', { Allow: methods.join(', ') });
  if (!isHost(request.get('x-forwarded-host') ?? request.get('host') ?? ''))
    return refusal(400, 'INVALID_INPUT', 'The Host header cannot be read.');
  if (!isReadableAddress(request.url)) return refusal(400, 'INVALID_INPUT', 'This address cannot be read.');
  // Only pages have `.data` addresses, and the API has one page.
  if (isApi && request.path.endsWith('.data') && request.path !== '/api/docs.data')
    return refusal(404, 'NOT_FOUND', 'This call does not exist.');
  if (request.headers['transfer-encoding'] !== undefined)
    return refusal(411, 'LENGTH_REQUIRED', 'Send the body with a Content-Length.');
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit(request.path))
    return refusal(413, 'PAYLOAD_TOO_LARGE', 'The request is larger than this server accepts.');
  return null;
}

/**
 * Drops forwarding headers unless a proxy is trusted, and rejects what cannot be a page or API call: long paths, other
 * methods, invalid hosts and addresses, and bodies of unknown or excessive length. Node never delivers more bytes than the
 * declared length, so checking that is enough.
 */
export function limitRequest(options: { trustProxy: boolean }): RequestHandler {
  return (request, response, next) => {
    response.locals.isThisMachine = isFromThisMachine(request);
    if (!options.trustProxy) for (const name of FORWARDED) delete request.headers[name];
    const problem = problemOf(request);
    if (problem === null) return next();
    return refuse(request, response, problem);
  };
}

function isSameOrigin(request: Request, origin: string, appOrigin: string): boolean {
  if (origin === appOrigin) return true;
  // The server may be reached under another of its names, such as 127.0.0.1 for localhost.
  return origin === `${request.protocol}://${request.get('x-forwarded-host') ?? request.get('host')}`;
}

/** The payment provider's webhook: its signature proves its origin better than the Origin header. */
const SIGNED_PATHS = new Set(['/webhooks/stripe']);

const FOREIGN = 'This request did not come from this site. Open the page again and retry.';

/** The response to another site's request; programs are told how their operator can allow it. */
function foreign({ path, headers: { origin } }: Request): Refusal {
  const isNamed = isProgramPath(path) && origin !== undefined && origin !== 'null' && URL.canParse(origin);
  const message = isNamed
    ? `Origin ${new URL(origin).origin} is not allowed. Add it to CORS_ORIGINS.`
    : FOREIGN;
  return refusal(403, 'FOREIGN_ORIGIN', message);
}

/**
 * Rejects every write that another site could have sent (ASVS 3.5.1). A foreign or `null` Origin gets 403 everywhere, on the
 * API also for reads. Forms, and calls with the session cookie, must prove that they come from this site; signed paths prove
 * it by their signature and read no session.
 */
export function sameOriginOnly(options: { appOrigin: string; sessionCookie: string }): RequestHandler {
  return (request, response, next) => {
    const isProgram = isProgramPath(request.path);
    const isSafe = SAFE_METHODS.has(request.method);
    if (isSafe && !isProgram) return next();
    if (SIGNED_PATHS.has(request.path)) {
      delete request.headers.origin;
      return next();
    }
    const origin = request.get('origin');
    const site = request.get('sec-fetch-site');
    if (origin !== undefined && !isSameOrigin(request, origin, options.appOrigin))
      return refuse(request, response, foreign(request));
    if (!isSafe && origin === undefined && site !== 'same-origin') {
      const hasSession = (request.get('cookie') ?? '').includes(`${options.sessionCookie}=`);
      if (hasSession || !isProgram || site !== undefined) return refuse(request, response, foreign(request));
    }
    // Checked above; Remix's own check would answer a mismatch behind a proxy with 500.
    delete request.headers.origin;
    return next();
  };
}
