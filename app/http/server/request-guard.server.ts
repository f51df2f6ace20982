import type { Request, RequestHandler, Response } from 'express';

/** Largest body of a form or JSON call, in bytes. Uploads get a limit of their own when they exist. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** How much of a refused body is still read, so that its sender gets as far as the answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const PAGE_METHODS = ['GET', 'HEAD', 'POST'];
const API_METHODS = [...PAGE_METHODS, 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Answers before any page code runs: a short text, since the caller is not a person using the site. What is still on
 * its way is read and dropped first: whoever closes a connection on it takes the answer away as well.
 */
function refuse(request: Request, response: Response, status: number, message: string): void {
  let left = MAX_DISCARDED_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) request.destroy();
  });
  request.once('end', () => {
    response.setHeader('Cache-Control', 'no-store');
    response.status(status).type('text/plain').send(`${message}\n`);
  });
}

/** Headers that a client may not speak for a proxy with. */
const FORWARDED = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'forwarded',
];

const HOST = /^[a-z0-9.\-_]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i;

/** False for a path with broken percent-encoding, and for the query by which Remix 1 asked for data. */
function isReadableAddress(url: string): boolean {
  const [path = '', query = ''] = url.split('?', 2);
  try {
    decodeURIComponent(path);
  } catch {
    return false;
  }
  return !new URLSearchParams(query).has('_data');
}

interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

function problemOf(request: Request): Refusal | null {
  const methods = request.path.startsWith('/api/') ? API_METHODS : PAGE_METHODS;
  if (!methods.includes(request.method)) {
    return { status: 405, message: 'Method not allowed.', headers: { Allow: methods.join(', ') } };
  }
  if (!HOST.test(request.get('x-forwarded-host') ?? request.get('host') ?? '')) {
    return { status: 400, message: 'The Host header cannot be read.' };
  }
  if (!isReadableAddress(request.url)) return { status: 400, message: 'This address cannot be read.' };
  if (request.headers['transfer-encoding'] !== undefined) {
    return { status: 411, message: 'Send the body with a Content-Length.' };
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    return { status: 413, message: 'That is more than this server accepts.' };
  }
  return null;
}

/**
 * Drops forwarding headers unless a proxy is trusted, and refuses what cannot be a page or API call: other methods,
 * hosts and addresses that cannot be read, bodies of unknown or excessive length. Node never delivers more bytes than
 * the declared length, so checking the declaration bounds the body.
 */
export function limitRequest(options: { trustProxy: boolean }): RequestHandler {
  return (request, response, next) => {
    if (!options.trustProxy) for (const name of FORWARDED) delete request.headers[name];
    const problem = problemOf(request);
    if (problem === null) return next();
    response.set(problem.headers ?? {});
    return refuse(request, response, problem.status, problem.message);
  };
}

function isSameOrigin(request: Request, origin: string, appOrigin: string): boolean {
  if (origin === appOrigin) return true;
  // Whoever reaches the server under another name of its own (127.0.0.1 for localhost) is still on this site.
  return origin === `${request.protocol}://${request.get('x-forwarded-host') ?? request.get('host')}`;
}

/**
 * Refuses every write that another site could have sent (ASVS 3.5.1): a foreign or `null` Origin is 403 everywhere;
 * page forms, and calls that carry the session cookie, must prove that they come from this site.
 */
export function sameOriginOnly(options: { appOrigin: string; sessionCookie: string }): RequestHandler {
  return (request, response, next) => {
    if (SAFE_METHODS.has(request.method)) return next();
    const origin = request.get('origin');
    const site = request.get('sec-fetch-site');
    const foreign = 'This request did not come from this site. Open the page again and retry.';
    if (origin !== undefined && !isSameOrigin(request, origin, options.appOrigin))
      return refuse(request, response, 403, foreign);
    if (origin === undefined && site !== 'same-origin') {
      const hasSession = (request.get('cookie') ?? '').includes(`${options.sessionCookie}=`);
      if (hasSession || !request.path.startsWith('/api/') || site !== undefined)
        return refuse(request, response, 403, foreign);
    }
    // Checked here once; Remix's own comparison would answer a mismatch behind a proxy with 500.
    delete request.headers.origin;
    return next();
  };
}
