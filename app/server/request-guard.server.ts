import type { Request, Response, RequestHandler } from 'express';
import { isLoopbackAddress } from '#app/domain/settings/settings.ts';

/** How much of a refused body is still read, so that its sender gets as far as the answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** What is answered before any page or call runs. */
interface Refusal {
  status: number;
  /** The API's code for it. */
  code: string;
  message: string;
  headers?: Record<string, string>;
}

/** True for addresses of the JSON API. */
const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** True for the address of programs that speak the Model Context Protocol. */
const isMcpPath = (path: string): boolean => path === '/mcp' || path === '/mcp/';

/** True where programs ask, which send no Origin and show their token: no page of this site does. */
export const isProgramPath = (path: string): boolean => isApiPath(path) || isMcpPath(path);

/** JSON-RPC: a refusal of the server's own, which answers no request by its id. */
const asRpc = (code: string, message: string) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_000, message, data: { error: code } },
});

/**
 * Answers before any page code runs: a short text, since the caller is not a person using the site, and where programs
 * ask what they read. What is still on its way is read and dropped first: whoever closes a connection on it takes the answer
 * away as well.
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

/** Addresses that take more, each with its limit in bytes. */
const LARGER: readonly { path: RegExp; bytes: number }[] = [
  // A picture or a paper has at most 5 MB; one that is a little larger still reaches the page that says so.
  { path: /^\/dashboard\/tracking\/side-effects\/[^/]+\/images(\.data)?$/, bytes: 8 * 1024 * 1024 },
  { path: /^\/dashboard\/vendors\/orders\/[^/]+\/papers(\.data)?$/, bytes: 8 * 1024 * 1024 },
  { path: /^\/api\/orders\/[^/]+\/papers$/, bytes: 8 * 1024 * 1024 },
  // A file to import has at most 32 MB.
  { path: /^\/dashboard\/import(\.data)?$/, bytes: 36 * 1024 * 1024 },
  { path: /^\/api\/import$/, bytes: 36 * 1024 * 1024 },
  { path: /^\/api\/side-effects\/[^/]+\/images$/, bytes: 8 * 1024 * 1024 },
];

/** How many bytes a request to a path may have. */
export function bodyLimit(path: string): number {
  return LARGER.find((entry) => entry.path.test(path))?.bytes ?? MAX_BODY_BYTES;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const PAGE_METHODS = ['GET', 'HEAD', 'POST'];
const API_METHODS = [...PAGE_METHODS, 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Headers that a client may not speak for a proxy with. */
const FORWARDED = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'forwarded',
];

/** What else a proxy adds to the requests that it passes on. */
const PROXY_MARKS = ['via', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip'];

/**
 * Whether a request comes from this machine itself: by the socket, whatever its `Host` says, and not through a proxy,
 * behind which anybody may stand.
 */
function isFromThisMachine({ socket, headers }: Request): boolean {
  const isForwarded = [...FORWARDED, ...PROXY_MARKS].some((name) => headers[name] !== undefined);
  return !isForwarded && isLoopbackAddress(socket.remoteAddress ?? '');
}

const HOST = /^(?:[a-z0-9.\-_]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

/** True for a name or address with a port that exists, or none. */
function isHost(text: string): boolean {
  const [host, port = '0'] = HOST.exec(text) ?? [];
  return host !== undefined && Number(port) <= 65_535;
}

/**
 * False for a whole address where a path belongs (only a proxy is asked so), for a path with broken percent-encoding or
 * a NUL, and for the query by which Remix 1 asked for data.
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
  const isApi = isApiPath(request.path);
  const methods = isApi ? API_METHODS : PAGE_METHODS;
  if (!methods.includes(request.method))
    return refusal(405, 'METHOD_NOT_ALLOWED', 'Method not allowed.', { Allow: methods.join(', ') });
  if (!isHost(request.get('x-forwarded-host') ?? request.get('host') ?? ''))
    return refusal(400, 'INVALID_INPUT', 'The Host header cannot be read.');
  if (!isReadableAddress(request.url)) return refusal(400, 'INVALID_INPUT', 'This address cannot be read.');
  // The address by which scripts ask for the data of a page; the API has one page.
  if (isApi && request.path.endsWith('.data') && request.path !== '/api/docs.data')
    return refusal(404, 'NOT_FOUND', 'There is no such call.');
  if (request.headers['transfer-encoding'] !== undefined)
    return refusal(411, 'LENGTH_REQUIRED', 'Send the body with a Content-Length.');
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit(request.path))
    return refusal(413, 'PAYLOAD_TOO_LARGE', 'That is more than this server accepts.');
  return null;
}

/**
 * Drops forwarding headers unless a proxy is trusted, and refuses what cannot be a page or API call: other methods,
 * hosts and addresses that cannot be read, bodies of unknown or excessive length. Node never delivers more bytes than
 * the declared length, so checking the declaration bounds the body.
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
  // Whoever reaches the server under another name of its own (127.0.0.1 for localhost) is still on this site.
  return origin === `${request.protocol}://${request.get('x-forwarded-host') ?? request.get('host')}`;
}

/** Takes what the payment provider sends; its signature says where it comes from, better than any Origin. */
const SIGNED_PATHS = new Set(['/webhooks/stripe']);

const FOREIGN = 'This request did not come from this site. Open the page again and retry.';

/** The answer to what another site sent; a program is told what its operator can do about it. */
function foreign({ path, headers: { origin } }: Request): Refusal {
  const isNamed = isProgramPath(path) && origin !== undefined && origin !== 'null' && URL.canParse(origin);
  const message = isNamed
    ? `Origin ${new URL(origin).origin} is not allowed. Add it to CORS_ORIGINS.`
    : FOREIGN;
  return refusal(403, 'FOREIGN_ORIGIN', message);
}

/**
 * Refuses every write that another site could have sent (ASVS 3.5.1): a foreign or `null` Origin is 403 everywhere, on
 * the API for reads too; page forms, and calls that carry the session cookie, must prove that they come from this site.
 * Signed paths prove it by their signature and read no session.
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
    // Checked here once; Remix's own comparison would answer a mismatch behind a proxy with 500.
    delete request.headers.origin;
    return next();
  };
}
