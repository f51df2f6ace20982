import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

/** Paths whose last part is a secret; it never reaches the log. */
const SECRET_PATH = /^\/(reset-password|confirm-email|act|share|calendar)\/[^/]+/;

/** The path as it may be logged: without its query and without secrets. */
export function loggablePath(url: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  return path.replace(SECRET_PATH, '/$1/[secret]').slice(0, 200);
}

/** Gives each request an id and writes one line when it ends. */
export function requestLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID();
    const started = process.hrtime.bigint();
    response.locals.requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.on('close', () => {
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      const line = {
        requestId,
        method: request.method,
        path: loggablePath(request.originalUrl),
        status: response.statusCode,
        ms: Math.round(ms * 10) / 10,
      };
      if (response.statusCode >= 500) log.error(line, 'request failed');
      else if (response.statusCode === 401 || response.statusCode === 403 || response.statusCode === 429)
        log.warn(line, 'request denied');
      else log.info(line, 'request');
    });
    next();
  };
}
