import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { format } from 'node:util';
import { multistream, pino, type Level, type Logger } from 'pino';
import { keptLine, type LogLine } from '#app/domain/system/log-line.ts';
import type { Repositories } from '#models/index.server.ts';

/**
 * Most lines waiting to be stored, in total and with the same message; further ones are dropped and counted. Anyone can make
 * the server log denied requests again and again, which must not displace other lines.
 */
const MOST_WAITING = 1000;
const MOST_OF_A_KIND = 50;
const EVERY_MS = 2_000;

interface Waiting {
  lines: string[];
  /** Number of lines of each kind. */
  kinds: Map<string, number>;
  dropped: number;
}

// On `globalThis`, because the log is created by the web server's entry, which is a separate bundle.
const holder = globalThis as typeof globalThis & { vialbookLogLines?: Waiting };

const nothing = (): Waiting => ({ lines: [], kinds: new Map(), dropped: 0 });
const waiting = (): Waiting => (holder.vialbookLogLines ??= nothing());

/** A line's message, which the logger writes last. */
const kindOf = (json: string): string => json.slice(Math.max(0, json.lastIndexOf('"msg":')));

/** Queues a JSON log line for storage, after secrets were removed. Never waits and never fails. */
export function leaveLogLine(json: string): void {
  const state = waiting();
  const kind = kindOf(json);
  const before = state.kinds.get(kind) ?? 0;
  if (before >= MOST_OF_A_KIND || state.lines.length >= MOST_WAITING) {
    state.dropped += 1;
    return;
  }
  state.kinds.set(kind, before + 1);
  state.lines.push(json);
}

function takeLines(): LogLine[] {
  const { lines, dropped } = waiting();
  holder.vialbookLogLines = nothing();
  const stored = lines.map(keptLine).filter((line) => line !== null);
  if (dropped === 0) return stored;
  const message = 'log lines were dropped because there were too many at once';
  return [
    ...stored,
    { at: new Date(), level: 'warning', message, source: 'server', facts: { dropped: String(dropped) } },
  ];
}

/** Stores the waiting lines. Lines that fail to be stored are lost here, but still on standard output. */
export async function keepLogLines(repos: Repositories): Promise<void> {
  const lines = takeLines();
  if (lines.length > 0) await repos.serverLogs.add(lines).catch(() => undefined);
}

/** Stores this process's log until stopped. */
export function startKeepingLog(repos: Repositories): { stop(): Promise<void> } {
  const timer = setInterval(() => void keepLogLines(repos), EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await keepLogLines(repos);
    },
  };
}

/** Fields that must never be logged, at any depth. */
const SECRETS = [
  'password',
  'confirmPassword',
  'currentPassword',
  'newPassword',
  'token',
  'secret',
  'cookie',
  'authorization',
  'MONGODB_URI',
  'SMTP_URL',
];

/** Normal requests are counted, not stored. */
const PLAIN_REQUEST = '"msg":"request"';

/** Stores lines for the admin log; secrets are already removed. */
const keeping = {
  write(line: string) {
    if (!line.includes(PLAIN_REQUEST)) leaveLogLine(line);
  },
};

/**
 * Writes one JSON line per entry to standard output; JSON escapes newlines in values. Relevant lines at the chosen level also
 * go to the admin log.
 * @param fd 2 if standard output is used for something else
 */
export function createLog(level: string, fd: 1 | 2 = 1): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  };
  // `silent` is not a stream level, and then nothing is written anyway.
  const least = level === 'silent' ? 'fatal' : (level as Level);
  return pino(
    options,
    multistream([
      { level: least, stream: pino.destination({ fd, sync: true }) },
      { level: 'info', stream: keeping },
    ]),
  );
}

let log: Logger | undefined;

/** Called once at startup, so that code outside a request uses the same log. */
export function setCurrentLog(next: Logger): void {
  log = next;
}

/** The process's log. */
export function currentLog(): Logger {
  log ??= createLog('info');
  return log;
}

/**
 * Redirects the output of Node and libraries, such as warnings and `console` calls, to the log, so that the server's output
 * consists only of JSON lines.
 */
export function logProcessOutput(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node warning'));
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

/** Does the same for a thread's output, line by line. */
export function logLines(stream: Readable, write: (line: string) => void): void {
  createInterface({ input: stream }).on('line', (line) => {
    if (line.trim() !== '') write(line);
  });
}
