import type { RequestHandler } from 'express';
import { isApiPath } from './refuse.server.ts';

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, If-None-Match',
  'Access-Control-Max-Age': '600',
};
const READABLE = 'ETag, Retry-After, X-Request-Id, Idempotency-Replayed, Content-Disposition';

/**
 * Lets pages of the named origins call the API, with a bearer token: their cookies are dropped, so that nothing of a
 * sign-in in this browser opens to them. Any other foreign origin is refused further on.
 */
export function corsForOrigins(origins: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const origin = request.get('origin');
    if (!isApiPath(request.path) || origin === undefined || !origins.includes(origin)) return next();
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': READABLE });
    response.vary('Origin');
    if (request.method === 'OPTIONS') return response.set(PREFLIGHT).status(204).end();
    for (const name of ['origin', 'sec-fetch-site', 'cookie']) delete request.headers[name];
    return next();
  };
}
