import { multistream, pino, type Level, type Logger } from 'pino';
import { leaveLogLine } from './log-buffer.server.ts';

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
 */
export function createLog(level: string): Logger {
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
      { level: least, stream: pino.destination({ fd: 1, sync: true }) },
      { level: 'info', stream: keeping },
    ]),
  );
}
