import '#app/platform/http/load-context.ts';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createRequestHandler } from '@remix-run/express';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import sirv from 'sirv';
import type { Settings } from '#app/domain/settings/settings.ts';
import { SECOND_MS } from '#app/domain/time/calendar.ts';
import { secretFolderOf } from '#app/platform/http/addresses.ts';
import { isReaderTooSlow } from '#app/platform/http/file-response.server.ts';
import { newNonce, securityHeaders } from '#app/platform/http/security-headers.server.ts';
import type { AnsweredRequest } from '#app/platform/metrics/process-metrics.server.ts';
import { requestSpan } from '#app/platform/telemetry/spans.server.ts';
import type { Refusal } from '#app/platform/http/request-rules.ts';
import { keepOrigin, limitRequest, refuse } from './request-guard.server.ts';
import { routeNames } from './route-names.server.ts';

/** The path for the log: without its query and without secrets. */
function loggablePath(url: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  const folder = secretFolderOf(path);
  return folder === null ? path.slice(0, 200) : `/${folder}/[secret]`;
}

interface RequestLogOptions {
  log: Logger;
  answered: AppOptions['answered'];
  nameRoute: ReturnType<typeof routeNames>;
  /** Whether there is a trusted proxy, whose request ids are used in the log. */
  trustProxy: boolean;
}

const PROXY_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** The trusted proxy's request id, or a new one. */
function idOf(request: Request, trustProxy: boolean): string {
  const header = trustProxy ? request.get('x-request-id') : undefined;
  return header !== undefined && PROXY_ID.test(header) ? header : randomUUID();
}

/** Gives each request an id and logs one line when it ends. */
function requestLog({ log, answered, nameRoute, trustProxy }: RequestLogOptions): RequestHandler {
  return (request, response, next) => {
    const requestId = idOf(request, trustProxy);
    const started = process.hrtime.bigint();
    const span = requestSpan(request);
    response.locals.requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.on('close', () => {
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      const { method, path } = request;
      const figures = { status: response.statusCode, ms, route: nameRoute(path, response.statusCode) };
      answered({ method, ...figures });
      span.end(figures);
      const line = {
        requestId,
        method,
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
    span.run(next);
  };
}

/** Sets the headers of every response, including static files and refusals. */
function setSecurityHeaders({ APP_URL, BILLING }: Settings): RequestHandler {
  const options = { https: APP_URL.startsWith('https:'), payments: BILLING === 'stripe' };
  return (request, response, next) => {
    const nonce = newNonce();
    response.locals.nonce = nonce;
    response.set(securityHeaders(request.path, nonce, options));
    next();
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
  /** Serves the browser's files; passes on every other request. */
  files: RequestHandler;
  /** Called for each response, for the metrics. */
  answered(request: AnsweredRequest): void;
  /** Handles requests until there is a build, instead of having them wait for it. */
  starting?: RequestHandler;
}

/** The pages, as `@remix-run/express` takes them: a build, or what loads it for each request. */
type Pages = Pick<Parameters<typeof createRequestHandler>[0], 'build' | 'mode'>;

interface App {
  handler: Express;
  /** Starts serving the pages. @param paths of all routes, for the metrics */
  serve(pages: Pages, paths: Iterable<string>): void;
}

/** The addresses for a load balancer's checks, which are answered at once. */
const LIVENESS = '/healthz';
const READINESS = '/readyz';

/** How long a request waits for the end of the start, in ms: longer than most starts take, shorter than people wait. */
const START_WAIT_MS = 5 * SECOND_MS;

const STARTING: Refusal = {
  status: 503,
  code: 'DATABASE_UNAVAILABLE',
  message: 'Vialbook is starting. Please try again in a moment.',
  // Browsers retry automatically.
  headers: { 'Retry-After': '1', Refresh: '2' },
};

/**
 * Requests during the start wait for its end, so that a restart is a pause and no form is lost; those that have waited long
 * enough are refused with 503.
 */
function waitingForStart() {
  let pages: RequestHandler | undefined;
  const waiting = new Set<() => void>();
  const handler: RequestHandler = (request, response, next) => {
    if (pages !== undefined) {
      pages(request, response, next);
    } else if (request.path === LIVENESS) {
      response.type('text/plain').set('Cache-Control', 'no-store').send('ok\n');
    } else if (request.path === READINESS) {
      refuse(request, response, STARTING);
    } else {
      const goOn = () => {
        waiting.delete(goOn);
        clearTimeout(patience);
        if (response.destroyed) return;
        if (pages === undefined) refuse(request, response, STARTING);
        else pages(request, response, next);
      };
      const patience = setTimeout(goOn, START_WAIT_MS);
      waiting.add(goOn);
    }
  };
  return {
    handler,
    end(served: RequestHandler) {
      pages = served;
      for (const goOn of waiting) goOn();
    },
  };
}

/** Hashed files are cached forever; others, such as the service worker, are revalidated at each use. */
function cacheControlOf(pathname: string): string {
  if (pathname === '/sw.js') return 'no-cache';
  const hashed = pathname.startsWith('/assets/');
  return hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate';
}

/** Serves the browser build. */
export function staticFiles(directory: string): RequestHandler {
  return sirv(directory, {
    etag: true,
    extensions: [],
    gzip: true,
    brotli: true,
    // Checks the disk each time, because a list made at startup would name files that a new build has replaced.
    dev: true,
    setHeaders(response, pathname) {
      response.setHeader('Cache-Control', cacheControlOf(pathname));
      // sirv does not know this type.
      if (pathname.endsWith('.ico')) response.setHeader('Content-Type', 'image/x-icon');
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

/** Remix behind Express. */
const remix = (pages: Pages): RequestHandler =>
  createRequestHandler({
    ...pages,
    getLoadContext: (request, response) => ({
      nonce: response.locals.nonce as string,
      requestId: response.locals.requestId as string,
      isThisMachine: response.locals.isThisMachine as boolean,
      whenTaken: () => whenTaken(response),
      clientAddress: request.ip ?? request.socket.remoteAddress ?? 'unknown',
      origin: response.locals.origin as string | null,
      missingHeaders: {},
    }),
  });

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
 * The web server's transport: ids, headers, early limits and static files; everything else is Remix.
 * docs/operating.md lists what the stock `remix-serve` lacks.
 */
export function createApp({ settings, log, files, answered, starting }: AppOptions): App {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  // Pages parse the query themselves.
  app.set('query parser', false);
  // This many entries at the right of X-Forwarded-For come from our proxies; clients can forge those to the left.
  app.set('trust proxy', settings.TRUST_PROXY);
  let nameRoute = routeNames([]);
  app.use(
    requestLog({
      log,
      answered,
      nameRoute: (path, status) => nameRoute(path, status),
      trustProxy: settings.TRUST_PROXY > 0,
    }),
  );
  app.use(setSecurityHeaders(settings));
  app.use(dropUnreadBody);
  app.use(limitRequest({ trustProxy: settings.TRUST_PROXY > 0 }));
  app.use(files);
  app.use(keepOrigin);
  const start = waitingForStart();
  app.all('*', starting ?? start.handler);
  app.use(lastResort(log));
  return {
    handler: app,
    serve(served, paths) {
      nameRoute = routeNames(paths);
      start.end(remix(served));
    },
  };
}
