import type { Request, RequestHandler, Response } from 'express';

/** Largest body of a form or JSON call, in bytes. Uploads get a limit of their own when they exist. */
export const MAX_BODY_BYTES = 1024 * 1024;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const KNOWN_METHODS = new Set([...SAFE_METHODS, 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Answers before any page code runs: a short text, since the caller is not a person using the site. */
function refuse(response: Response, status: number, message: string, close = false): void {
  if (close) response.setHeader('Connection', 'close');
  response.setHeader('Cache-Control', 'no-store');
  response.status(status).type('text/plain').send(`${message}\n`);
}

/** Headers that a client may not speak for a proxy with. */
const FORWARDED = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'forwarded',
];

/**
 * Drops forwarding headers unless a proxy is trusted, and refuses what cannot be a page or API call: unknown methods,
 * unreadable hosts, bodies of unknown or excessive length. Node never delivers more bytes than the declared length,
 * so checking the declaration bounds the body.
 */
export function limitRequest(options: { trustProxy: boolean }): RequestHandler {
  return (request, response, next) => {
    if (!options.trustProxy) for (const name of FORWARDED) delete request.headers[name];
    if (!KNOWN_METHODS.has(request.method)) return refuse(response, 405, 'Method not allowed.', true);
    const host = request.get('x-forwarded-host') ?? request.get('host') ?? '';
    if (!/^[a-z0-9.\-_]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i.test(host)) {
      return refuse(response, 400, 'The Host header cannot be read.', true);
    }
    if (request.headers['transfer-encoding'] !== undefined) {
      return refuse(response, 411, 'Send the body with a Content-Length.', true);
    }
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
      return refuse(response, 413, 'That is more than this server accepts.', true);
    }
    return next();
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
      return refuse(response, 403, foreign);
    if (origin === undefined && site !== 'same-origin') {
      const hasSession = (request.get('cookie') ?? '').includes(`${options.sessionCookie}=`);
      if (hasSession || !request.path.startsWith('/api/') || site !== undefined)
        return refuse(response, 403, foreign);
    }
    // Checked here once; Remix's own comparison would answer a mismatch behind a proxy with 500.
    delete request.headers.origin;
    return next();
  };
}
