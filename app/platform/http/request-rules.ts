import type { ErrorCode } from '#app/domain/errors.ts';

/** A request as its rules see it, whichever server received it. */
export interface Incoming {
  method: string;
  /** As in the address, still escaped. */
  path: string;
  /** Path and query. */
  url: string;
  header(name: string): string | undefined;
}

type RefusalCode = Exclude<ErrorCode, 'CONFLICT'>;

/** Why a request is refused before any page or call runs. */
export interface Refusal {
  status: number;
  /** The API's error code. */
  code: RefusalCode;
  message: string;
  headers?: Record<string, string>;
}

export const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

export const isMcpPath = (path: string): boolean => path === '/mcp' || path === '/mcp/';

/** Where programs that ask for a connection register and get their tokens. */
const isOAuthPath = (path: string): boolean => path.startsWith('/oauth/');

/** True for addresses used by programs, which send a token and no Origin. */
const isProgramPath = (path: string): boolean => isApiPath(path) || isMcpPath(path) || isOAuthPath(path);

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

/** The payment provider's webhook: its signature proves its origin better than the Origin header. */
const SIGNED_PATHS = new Set(['/webhooks/stripe']);

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const PAGE_METHODS = ['GET', 'HEAD', 'POST'];
const API_METHODS = [...PAGE_METHODS, 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What assistants may send. */
export const MCP_METHODS = ['POST', 'OPTIONS'];

function methodsOf(path: string): readonly string[] {
  if (isApiPath(path)) return API_METHODS;
  return isMcpPath(path) || isOAuthPath(path) ? MCP_METHODS : PAGE_METHODS;
}

/** A line break in a path, which Remix's route of all calls does not match. */
const hasLineBreak = (path: string): boolean => /[\n\r\u2028\u2029]/.test(decodeURIComponent(path));

/** What `If-Match` may hold. */
export const IF_MATCH_SYNTAX = 'If-Match must be * or a list of ETags as received, such as "abc"';

/** Headers of a change that must not be empty. Remix leaves out empty headers, so that they would seem to be missing. */
const NEVER_EMPTY: Readonly<Record<string, string>> = {
  'idempotency-key': 'An Idempotency-Key must have 1 to 200 visible ASCII characters',
  'if-match': IF_MATCH_SYNTAX,
};

/** What is wrong with an empty header of a call of the API; undefined if there is none. */
function emptyHeaderProblem({ method, path, header }: Incoming): string | undefined {
  if (!isApiPath(path) || SAFE_METHODS.has(method)) return undefined;
  return Object.entries(NEVER_EMPTY).find(([name]) => header(name) === '')?.[1];
}

const HOST = /^(?:[a-z0-9.\-_]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

/** True for a name or address with a valid port, or without one. */
function isHost(text: string): boolean {
  const [host, port = '0'] = HOST.exec(text) ?? [];
  return host !== undefined && Number(port) <= 65_535;
}

/** Largest path, in bytes. The longest of ours, with a secret in it, has a tenth. */
const MAX_PATH_BYTES = 2048;

/** Most segments of a path. Routers try every route with every one of them. */
const MAX_PATH_SEGMENTS = 12;

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

const PAGE_DATA = '.data';

/** True for the data of something that is no page. The API has one page. */
const isNoPageData = (path: string): boolean =>
  path.endsWith(PAGE_DATA) &&
  (isApiPath(path) ? path !== '/api/docs.data' : SIGNED_PATHS.has(path.slice(0, -PAGE_DATA.length)));

const refusal = (status: number, code: RefusalCode, message: string, headers = {}): Refusal => ({
  status,
  code,
  message,
  headers,
});

/**
 * What cannot be a page or API call: long paths, other methods, invalid hosts and addresses, and bodies of unknown or
 * excessive length. Node never delivers more bytes than the declared length, so checking that is enough.
 */
export function limitProblem(request: Incoming): Refusal | null {
  const { method, path, url, header } = request;
  if (!isShortPath(path)) return refusal(404, 'NOT_FOUND', '404 - Page Not Found');
  const methods = methodsOf(path);
  if (!methods.includes(method))
    return refusal(405, 'METHOD_NOT_ALLOWED', 'Method not allowed.', { Allow: methods.join(', ') });
  if (!isHost(header('x-forwarded-host') ?? header('host') ?? ''))
    return refusal(400, 'INVALID_INPUT', 'The Host header cannot be read.');
  if (!isReadableAddress(url)) return refusal(400, 'INVALID_INPUT', 'This address cannot be read.');
  if (isApiPath(path) && hasLineBreak(path)) return refusal(404, 'NOT_FOUND', 'This call does not exist.');
  const emptyHeader = emptyHeaderProblem(request);
  if (emptyHeader !== undefined) return refusal(400, 'INVALID_INPUT', emptyHeader);
  if (isNoPageData(path)) return refusal(404, 'NOT_FOUND', 'This call does not exist.');
  if (header('transfer-encoding') !== undefined)
    return refusal(411, 'LENGTH_REQUIRED', 'Send the body with a Content-Length.');
  if (Number(header('content-length') ?? 0) > bodyLimit(path))
    return refusal(413, 'PAYLOAD_TOO_LARGE', 'The request is larger than this server accepts.');
  return null;
}

const FOREIGN = 'This request did not come from this site. Open the page again and retry.';

/** The response to another site's request; programs are told how their operator can allow it. */
function foreign(path: string, origin: string | null): Refusal {
  const isNamed = isProgramPath(path) && origin !== null && origin !== 'null' && URL.canParse(origin);
  const message = isNamed
    ? `Origin ${new URL(origin).origin} is not allowed. Add it to CORS_ORIGINS.`
    : FOREIGN;
  return refusal(403, 'FOREIGN_ORIGIN', message);
}

interface OriginOptions {
  /** The request's `Origin`. */
  origin: string | null;
  /** Origins of this site: that of `APP_URL`, and the one under which the request reached the server, such as 127.0.0.1 for localhost. */
  ownOrigins: readonly string[];
  /** Name of the session cookie. */
  sessionCookie: string;
}

/**
 * Refuses every write that another site could have sent (ASVS 3.5.1). A foreign or `null` Origin gets 403 everywhere, on the
 * API also for reads. Forms, and calls with the session cookie, must prove that they come from this site; signed paths prove
 * it by their signature and read no session.
 */
export function originProblem(
  { method, path, header }: Incoming,
  { origin, ownOrigins, sessionCookie }: OriginOptions,
): Refusal | null {
  const isProgram = isProgramPath(path);
  const isSafe = SAFE_METHODS.has(method);
  if ((isSafe && !isProgram) || SIGNED_PATHS.has(path)) return null;
  if (origin !== null) return ownOrigins.includes(origin) ? null : foreign(path, origin);
  const site = header('sec-fetch-site');
  if (isSafe || site === 'same-origin') return null;
  const hasSession = (header('cookie') ?? '').includes(`${sessionCookie}=`);
  return hasSession || !isProgram || site !== undefined ? foreign(path, origin) : null;
}
