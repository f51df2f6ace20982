import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { format } from 'node:util';
import type { Logger } from 'pino';

/**
 * Sends what Node and libraries would write in words of their own, such as warnings and `console` calls, to the log: what
 * reads the output of a server then finds nothing but JSON lines.
 */
export function logProcessOutput(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node warns'));
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (...words: unknown[]) =>
      log[level]({ source: 'console' }, format(...words));
  Object.assign(console, {
    debug: at('debug'),
    trace: at('debug'),
    log: at('info'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  });
}

/** Does the same for what a thread writes, line by line. */
export function logLines(stream: Readable, write: (line: string) => void): void {
  createInterface({ input: stream }).on('line', (line) => {
    if (line.trim() !== '') write(line);
  });
}
