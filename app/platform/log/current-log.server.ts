import type { Logger } from 'pino';
import { createLog } from './log.server.ts';

let log: Logger | undefined;

/** Called once at start, so that code outside a request writes to the same log. */
export function setCurrentLog(next: Logger): void {
  log = next;
}

/** The process's log. */
export function currentLog(): Logger {
  log ??= createLog('info');
  return log;
}
