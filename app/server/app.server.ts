import '#app/platform/http/load-context.ts';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { createRequestHandler } from '@remix-run/express';
import type { ServerBuild } from '@remix-run/node';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import sirv from 'sirv';
import type { Settings } from '#app/domain/settings/settings.ts';
import { secretFolderOf } from '#app/platform/http/addresses.ts';
import { isReaderTooSlow } from '#app/platform/http/file-response.server.ts';
import { sessionCookieName } from '#app/platform/http/session.server.ts';
import type { AnsweredRequest } from '#app/platform/metrics/process-metrics.server.ts';
import { isProgramPath, limitRequest, sameOriginOnly } from './request-guard.server.ts';
import { RouteParts } from './route-subset.server.ts';
import { securityHeaders } from './security-headers.server.ts';

/** The path for the log: without its query and without secrets. */
function loggablePath(url: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  const folder = secretFolderOf(path);
  return folder === null ? path.slice(0, 200) : `/${folder}/[secret]`;
}

interface RequestLogOptions {
  log: Logger;
  /** Called for each response, for the metrics. */
  answered(request: AnsweredRequest): void;
  /** Whether there is a trusted proxy, whose request ids are used in the log. */
  trustProxy: boolean;
}

const PROXY_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** The trusted proxy's request id, or a new one. */
function idOf(request: Request, trustProxy: boolean): string {
  const given = trustProxy ? request.get('x-request-id') : undefined;
  return given !== undefined && PROXY_ID.test(given) ? given : randomUUID();
}

/** Gives each request an id and logs one line when it ends. */
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
      // 503 is deliberate: something is switched off or starting, or the database is unavailable, which is logged separately.
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
 * Lets pages of the given origins call the API with a bearer token. Their cookies are dropped, so that they can't use a
 * sign-in in this browser. Any other foreign origin is rejected later.
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

/**
 * Reads and drops what is left of a body once its answer is sent. Node does that only for a body that nobody began to read,
 * and Remix begins with every one: the rest would stay on the connection, and the next request would wait behind it until
 * the connection times out. What has to be read is bounded by {@link limitRequest}, and its time by the server's
 * `requestTimeout`.
 */
const dropUnreadBody: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (request.readableEnded) return;
    // The adapter's listener would pause the request again.
    request.removeAllListeners('data').resume();
  });
  next();
};

interface AppOptions {
  settings: Settings;
  log: Logger;
  /** Folder of the browser build. */
  clientDirectory: string;
  /** Called for each response. */
  answered(request: AnsweredRequest): void;
  /** Handles requests until the build is loaded. */
  starting: RequestHandler;
}

interface App {
  handler: Express;
  /** Starts serving the pages of this build. */
  serve(build: ServerBuild): void;
}

/** Hashed files are cached forever; others, such as the service worker, are revalidated at each use. */
function cacheControlOf(pathname: string): string {
  if (pathname === '/sw.js') return 'no-cache';
  const hashed = pathname.startsWith('/assets/');
  return hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate';
}

/** Serves the browser build. */
function staticFiles(directory: string) {
  return sirv(directory, {
    etag: true,
    extensions: [],
    gzip: true,
    brotli: true,
    // Checks the disk each time, because a list made at startup would name files that a new build has replaced.
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

/** Handles requests with the parts of a build. */
function remix(build: ServerBuild): RequestHandler {
  const handlerOf = (part: ServerBuild): RequestHandler =>
    createRequestHandler({
      build: part,
      mode: 'production',
      getLoadContext: (request, response) => ({
        nonce: response.locals.nonce as string,
        requestId: response.locals.requestId as string,
        isThisMachine: response.locals.isThisMachine as boolean,
        whenTaken: () => whenTaken(response),
        clientAddress: request.ip ?? request.socket.remoteAddress ?? 'unknown',
      }),
    });
  const parts = new RouteParts(build);
  const handlers = new Map<ServerBuild, RequestHandler>();
  return (request, response, next) => {
    const part = parts.partFor(request.path);
    const handler = handlers.get(part) ?? handlerOf(part);
    handlers.set(part, handler);
    return handler(request, response, next);
  };
}

/** The last resort: the response reveals no internals. */
function lastResort(log: Logger): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const { requestId } = response.locals;
    if (isReaderTooSlow(error))
      log.warn({ requestId }, 'a download was aborted because its client read nothing for too long');
    else log.error({ err: error, requestId }, 'unhandled error');
    if (response.headersSent) return response.destroy();
    return response
      .status(500)
      .type('text/plain')
      .send('Application Error: Something went wrong. Please refresh the page.\n');
  };
}

/**
 * The web server's transport: ids, headers, limits, origin check and static files; everything else is Remix.
 * We don't use `remix-serve` because it marks all static files immutable, has no body limit, and can't set headers on every
 * response.
 */
export function createApp({ settings, log, clientDirectory, answered, starting }: AppOptions): App {
  const app = express();
  const appUrl = new URL(settings.APP_URL);
  const https = appUrl.protocol === 'https:';
  app.disable('x-powered-by');
  app.set('etag', false);
  // Pages parse the query themselves.
  app.set('query parser', false);
  // This many entries at the right of X-Forwarded-For come from our proxies; clients can forge those to the left.
  app.set('trust proxy', settings.TRUST_PROXY);
  app.use(requestLog({ log, answered, trustProxy: settings.TRUST_PROXY > 0 }));
  app.use(securityHeaders({ https, payments: settings.BILLING === 'stripe' }));
  app.use(dropUnreadBody);
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
