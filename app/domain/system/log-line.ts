export const LOG_LEVELS = ['info', 'warning', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A stored line of the log. */
export interface LogLine {
  at: Date;
  level: LogLevel;
  message: string;
  source: 'web' | 'worker' | 'server';
  /** Other fields of the line, as text. */
  facts: Record<string, string>;
}

/** The only fields that are stored; none of them identifies a person. */
const FACTS = [
  'requestId',
  'method',
  'path',
  'status',
  'ms',
  'job',
  'action',
  'failures',
  'reason',
  'kind',
  'backup',
  'dropped',
] as const;

/** What stands between spaces, quotation marks and brackets. */
const WORD = /[^\s"'<>:,;()]+/g;
/** Ids of accounts and of what belongs to them: 24 hexadecimal digits. */
const ID = /\b[0-9a-f]{24}\b/gi;
const MAX_FACT = 500;
const MAX_STACK = 2000;

/** Whether a word is an email address: `name@host.domain`. */
function isAddress(word: string): boolean {
  const at = word.indexOf('@');
  return at > 0 && word.slice(at + 2, -1).includes('.');
}

/** Removes email addresses and ids of people, and shortens the text. */
function clean(text: string, most = MAX_FACT): string {
  const named = text.replace(WORD, (word) => (isAddress(word) ? '[address]' : word));
  return named.replace(ID, '[id]').slice(0, most);
}

function levelOf(level: number): LogLevel {
  if (level >= 50) return 'error';
  return level >= 40 ? 'warning' : 'info';
}

function factsOf(line: Record<string, unknown>): Record<string, string> {
  const facts: Record<string, string> = {};
  for (const name of FACTS) {
    const value = line[name];
    if (typeof value === 'string' || typeof value === 'number') facts[name] = clean(String(value));
  }
  const { err } = line;
  if (typeof err === 'object' && err !== null) {
    const { type, message, stack } = err as Record<string, unknown>;
    if (typeof type === 'string') facts['error'] = clean(type);
    if (typeof message === 'string') facts['says'] = clean(message);
    if (typeof stack === 'string') facts['stack'] = clean(stack, MAX_STACK);
  }
  return facts;
}

/**
 * What is stored of a log line. Ordinary requests are left out: there are too many, and they are counted elsewhere. The
 * logger has already removed secrets.
 * @param json one entry as the logger writes it
 * @returns null if the line is not stored
 */
export function keptLine(json: string): LogLine | null {
  let line: Record<string, unknown>;
  try {
    line = JSON.parse(json) as Record<string, unknown>;
  } catch {
    return null;
  }
  const { level, time, msg } = line;
  const at = new Date(String(time));
  if (typeof level !== 'number' || level < 30 || Number.isNaN(at.getTime())) return null;
  if (msg === 'request' && level < 40) return null;
  const facts = factsOf(line);
  const source = facts['job'] !== undefined ? 'worker' : facts['requestId'] !== undefined ? 'web' : 'server';
  return { at, level: levelOf(level), message: clean(String(msg ?? '')), source, facts };
}

/** The message of a line; for a request with its status and path: "403 GET /admin/dashboard: request denied". */
export function messageText({ message, facts }: Pick<LogLine, 'message' | 'facts'>): string {
  const { status, method, path } = facts;
  if (status === undefined || method === undefined || path === undefined) return message;
  return `${status} ${method} ${path}: ${message}`;
}
