import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { secretFolderOf } from '#app/platform/http/addresses.ts';
import type { AnsweredRequest } from '#app/platform/metrics/process-metrics.server.ts';

/** The path as it may be logged: without its query and without secrets. */
export function loggablePath(url: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  const folder = secretFolderOf(path);
  return folder === null ? path.slice(0, 200) : `/${folder}/[secret]`;
}

export interface RequestLogOptions {
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
export function requestLog({ log, answered, trustProxy }: RequestLogOptions): RequestHandler {
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
