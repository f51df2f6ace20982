import '#app/platform/http/load-context.ts';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import sirv from 'sirv';
import type { ServerBuild } from '@remix-run/node';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Settings } from '#app/domain/settings/settings.ts';
import { secretFolderOf } from '#app/platform/http/addresses.ts';
import { isReaderTooSlow } from '#app/platform/http/file-response.server.ts';
import { sessionCookieName } from '#app/platform/http/session.server.ts';
import type { AnsweredRequest } from '#app/platform/metrics/process-metrics.server.ts';
import { remixHandler } from './remix-handler.server.ts';
import { isProgramPath, limitRequest, sameOriginOnly } from './request-guard.server.ts';
import { RouteParts } from './route-subset.server.ts';
import { securityHeaders } from './security-headers.server.ts';

/** The path as it may be logged: without its query and without secrets. */
function loggablePath(url: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  const folder = secretFolderOf(path);
  return folder === null ? path.slice(0, 200) : `/${folder}/[secret]`;
}

interface RequestLogOptions {
  log: Logger;
  /** Told of each answer, for the figures. */
  answered(request: AnsweredRequest): void;
  /** Whether a proxy stands in front, whose ids go on through our lines. */
  trustProxy: boolean;
}

const PROXY_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** The proxy's own id of the request where there is a proxy that gives one, else a new one. */
function idOf(request: Request, trustProxy: boolean): string {
  const given = trustProxy ? request.get('x-request-id') : undefined;
  return given !== undefined && PROXY_ID.test(given) ? given : randomUUID();
}

/** Gives each request an id and writes one line when it ends. */
function requestLog({ log, answered, trustProxy }: RequestLogOptions): RequestHandler {
  return (request, response, next) => {
    const requestId = idOf(request, trustProxy);
    const started = process.hrtime.bigint();
    response.locals.requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.on('close', () => {
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      answered({ method: request.method, status: response.statusCode, ms });
      const line = {
        requestId,
        method: request.method,
        path: loggablePath(request.originalUrl),
        status: response.statusCode,
        ms: Math.round(ms * 10) / 10,
      };
      // 503 is said on purpose: something is switched off, or starting, or the database is away, which has a line of its own.
      if (response.statusCode === 503) log.warn(line, 'request not served for now');
      else if (response.statusCode >= 500) log.error(line, 'request failed');
      else if (response.statusCode === 401 || response.statusCode === 403 || response.statusCode === 429)
        log.warn(line, 'request denied');
      else log.info(line, 'request');
    });
    next();
  };
}

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, Mcp-Protocol-Version, Last-Event-ID',
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
    if (!isProgramPath(request.path) || origin === undefined || !origins.includes(origin)) return next();
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
  /** Folder of the browser build. */
  clientDirectory: string;
  /** Told of each answer. */
  answered(request: AnsweredRequest): void;
  /** Answers in place of the pages until there is a build. */
  starting: RequestHandler;
}

/** The transport, and what gives it its pages. */
interface App {
  handler: Express;
  /** From now on the pages of this build answer. */
  serve(build: ServerBuild): void;
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

/** See `AppLoadContext`. */
async function whenTaken(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return;
  await new Promise<void>((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}

/** Answers with a build, by its parts. */
function remix(build: ServerBuild): RequestHandler {
  const handlerOf = (part: ServerBuild): RequestHandler =>
    remixHandler(part, (request, response) => ({
      nonce: response.locals.nonce as string,
      requestId: response.locals.requestId as string,
      isThisMachine: response.locals.isThisMachine as boolean,
      whenTaken: () => whenTaken(response),
      clientAddress: request.ip ?? request.socket.remoteAddress ?? 'unknown',
    }));
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
    const { requestId } = response.locals;
    if (isReaderTooSlow(error))
      log.warn({ requestId }, 'a file was broken off because its reader took nothing for too long');
    else log.error({ err: error, requestId }, 'unhandled error');
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
export function createApp({ settings, log, clientDirectory, answered, starting }: AppOptions): App {
  const app = express();
  const appUrl = new URL(settings.APP_URL);
  const https = appUrl.protocol === 'https:';
  app.disable('x-powered-by');
  app.set('etag', false);
  // Pages read their queries from the address.
  app.set('query parser', false);
  // So many entries at the right of X-Forwarded-For are our proxies'; left of them stands what a client may have made up.
  app.set('trust proxy', settings.TRUST_PROXY);
  app.use(requestLog({ log, answered, trustProxy: settings.TRUST_PROXY > 0 }));
  app.use(securityHeaders({ https, payments: settings.BILLING === 'stripe' }));
  app.use(limitRequest({ trustProxy: settings.TRUST_PROXY > 0 }));
  app.use(corsForOrigins(settings.CORS_ORIGINS));
  app.use(sameOriginOnly({ appOrigin: appUrl.origin, sessionCookie: sessionCookieName(https) }));
  app.use(staticFiles(path.resolve(clientDirectory)));
  let pages = starting;
  app.all('*', (request, response, next) => pages(request, response, next));
  app.use(lastResort(log));
  return {
    handler: app,
    serve(build) {
      pages = remix(build);
    },
  };
}
