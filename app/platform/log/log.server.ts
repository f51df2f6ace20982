import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { format } from 'node:util';
import { multistream, pino, type Level, type Logger } from 'pino';
import { keptLine, type LogLine } from '#app/domain/system/log-line.ts';
import type { Repositories } from '#models/index.server.ts';

/**
 * Lines that wait to be kept, in all and with the same message; beyond that they are dropped and counted. Anybody can
 * make the server write that a request was denied, again and again; what else happens has its place all the same.
 */
const MOST_WAITING = 1000;
const MOST_OF_A_KIND = 50;
const EVERY_MS = 2_000;

interface Waiting {
  lines: string[];
  /** How many came of each kind. */
  kinds: Map<string, number>;
  dropped: number;
}

// On `globalThis`, because the log is made by the web server's entry, a bundle of its own.
const holder = globalThis as typeof globalThis & { vialbookLogLines?: Waiting };

const nothing = (): Waiting => ({ lines: [], kinds: new Map(), dropped: 0 });
const waiting = (): Waiting => (holder.vialbookLogLines ??= nothing());

/** What a line says, which the logger writes last. */
const kindOf = (json: string): string => json.slice(Math.max(0, json.lastIndexOf('"msg":')));

/** Where the log leaves its lines, as JSON, secrets taken out. Never waits and never fails. */
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
  const kept = lines.map(keptLine).filter((line) => line !== null);
  if (dropped === 0) return kept;
  const message = 'lines of the log were not kept: there were too many at once';
  return [
    ...kept,
    { at: new Date(), level: 'warning', message, source: 'server', facts: { dropped: String(dropped) } },
  ];
}

/** Writes what waits. What the database does not take is gone: it stands on standard output all the same. */
export async function keepLogLines(repos: Repositories): Promise<void> {
  const lines = takeLines();
  if (lines.length > 0) await repos.serverLogs.add(lines).catch(() => undefined);
}

/** Keeps the log of this process from now on, until it is stopped. */
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

/** What may never be written, wherever it stands in a log line. */
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

/** Plain requests are counted, not kept: most lines need no second look. */
const PLAIN_REQUEST = '"msg":"request"';

/** Leaves what the administration keeps of the log; secrets are out of it already. */
const keeping = {
  write(line: string) {
    if (!line.includes(PLAIN_REQUEST)) leaveLogLine(line);
  },
};

/**
 * One JSON line an entry on standard output; values are escaped by JSON, so a newline in them starts no line. What is
 * worth keeping goes to the administration's log, too, as far as the level lets it through.
 * @param fd 2 where standard output is somebody else's
 */
export function createLog(level: string, fd: 1 | 2 = 1): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  };
  // `silent` is no level of a stream, and then nothing is written anyway.
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

/** Called once at start, so that code outside a request writes to the same log. */
export function setCurrentLog(next: Logger): void {
  log = next;
}

/** The process's log. */
export function currentLog(): Logger {
  log ??= createLog('info');
  return log;
}

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
