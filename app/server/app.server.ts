import '#app/platform/http/load-context.ts';
import path from 'node:path';
import sirv from 'sirv';
import { createRequestHandler } from '@remix-run/express';
import type { ServerBuild } from '@remix-run/node';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { isApiPath } from './refuse.server.ts';
import type { AnsweredRequest } from '#app/platform/metrics/process-metrics.server.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import { sessionCookieName } from '#app/platform/http/session.server.ts';
import { limitRequest, sameOriginOnly } from './request-guard.server.ts';
import { requestLog } from './request-log.server.ts';
import { RouteParts } from './route-subset.server.ts';
import { securityHeaders } from './security-headers.server.ts';

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
function corsForOrigins(origins: readonly string[]): RequestHandler {
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

interface AppOptions {
  settings: Settings;
  log: Logger;
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Folder of the browser build. */
  clientDirectory: string;
  dev?: boolean;
  /** Told of each answer. */
  answered(request: AnsweredRequest): void;
}

/** How long a file may be kept: hashed ones for ever, the service worker not unasked, since it outlives every page. */
function cacheControlOf(pathname: string): string {
  if (pathname === '/sw.js') return 'no-cache';
  const hashed = pathname.startsWith('/assets/');
  return hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate';
}

/** Serves the browser build: hashed files for a year, everything else revalidated at each use. */
function staticFiles(directory: string) {
  return sirv(directory, {
    etag: true,
    extensions: [],
    gzip: true,
    brotli: true,
    // Looks at the disk each time: a list made at the start would name files that a new build has replaced.
    dev: true,
    setHeaders(response, pathname) {
      response.setHeader('Cache-Control', cacheControlOf(pathname));
    },
  });
}

type Build = AppOptions['build'];

/** Answers with a build; one that is made anew at each change answers whole, any other by its parts. */
function remix(build: Build, mode: string): RequestHandler {
  const handlerOf = (part: Build): RequestHandler =>
    createRequestHandler({
      build: part,
      mode,
      getLoadContext: (request, response) => ({
        nonce: response.locals.nonce as string,
        requestId: response.locals.requestId as string,
        isThisMachine: response.locals.isThisMachine as boolean,
        clientAddress: request.ip ?? request.socket.remoteAddress ?? 'unknown',
      }),
    });
  if (typeof build === 'function') return handlerOf(build);
  const parts = new RouteParts(build);
  const handlers = new Map<ServerBuild, RequestHandler>();
  return (request, response, next) => {
    const part = parts.partFor(request.path);
    const handler = handlers.get(part) ?? handlerOf(part);
    handlers.set(part, handler);
    return handler(request, response, next);
  };
}

/** The last resort: the answer names nothing of the inside. */
function lastResort(log: Logger): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    log.error({ err: error, requestId: response.locals.requestId }, 'unhandled error');
    if (response.headersSent) return response.destroy();
    return response
      .status(500)
      .type('text/plain')
      .send('Application Error: Something went wrong. Please refresh the page.\n');
  };
}

/**
 * The web server's transport: ids, headers, limits, origin check, static files; all else is Remix.
 * An express entry of our own because `remix-serve` marks all static files immutable, has no body limit and no place
 * for headers on every response.
 */
export function createApp({
  settings,
  log,
  build,
  clientDirectory,
  dev = false,
  answered,
}: AppOptions): Express {
  const app = express();
  const appUrl = new URL(settings.APP_URL);
  const https = appUrl.protocol === 'https:';
  app.disable('x-powered-by');
  app.set('etag', false);
  // So many entries at the right of X-Forwarded-For are our proxies'; left of them stands what a client may have made up.
  app.set('trust proxy', settings.TRUST_PROXY);
  app.use(requestLog({ log, answered, trustProxy: settings.TRUST_PROXY > 0 }));
  app.use(securityHeaders({ https, dev, payments: settings.BILLING === 'stripe' }));
  app.use(limitRequest({ trustProxy: settings.TRUST_PROXY > 0 }));
  app.use(corsForOrigins(settings.CORS_ORIGINS));
  app.use(sameOriginOnly({ appOrigin: appUrl.origin, sessionCookie: sessionCookieName(https) }));
  if (!dev) app.use(staticFiles(path.resolve(clientDirectory)));
  app.all('*', remix(build, dev ? 'development' : 'production'));
  app.use(lastResort(log));
  return app;
}
