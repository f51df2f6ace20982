import { pino, type Logger } from 'pino';

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

/** One JSON line an entry on standard output; values are escaped by JSON, so a newline in them starts no line. */
export function createLog(level: string): Logger {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  });
}
