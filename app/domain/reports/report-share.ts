import { AppError } from '#app/domain/errors.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';

/** The choices of how many days a report link works. */
export const SHARE_DAYS = ['1', '7', '30'] as const;
type ShareDays = (typeof SHARE_DAYS)[number];

/** The most report links per account, including those that have ended. */
export const MAX_SHARES = 20;

/** The most views of a shared report that are stored individually; all are counted. */
export const MAX_LISTED_VIEWS = 50;

interface ShareTerm {
  expiresAt: Date;
  revokedAt: Date | null;
}

export type ShareState = 'open' | 'revoked' | 'expired';

/** The state of a link now. It expires exactly at `expiresAt`. */
export function shareState({ expiresAt, revokedAt }: ShareTerm, now: Date): ShareState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt.getTime() <= now.getTime() ? 'expired' : 'open';
}

/** When a link created now expires: this many times 24 hours later. */
export function shareEnd(days: ShareDays, now: Date): Date {
  return new Date(now.getTime() + Number(days) * DAY_MS);
}

/** The same error for expired, revoked, mistyped and forged links, so that it reveals nothing. */
export function noShare(): AppError {
  return new AppError('NOT_FOUND', 'This report link does not work.');
}

const PRIVATE_V4 =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.\d{1,3}$/;

/** The first three groups of an IPv6 address, which may be written with `::`. */
function firstGroups(address: string): string {
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, missing)).fill('0'), ...after];
  return groups.slice(0, 3).join(':');
}

/**
 * Where a shared report was opened from, as precisely as its owner needs to know: the network (the first 24 bits of an IPv4
 * address, 48 of an IPv6 address), never the machine.
 */
export function addressClass(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  if (plain === '::1' || plain.startsWith('127.')) return 'this machine';
  if (PRIVATE_V4.test(plain) || /^f[cd]|^fe[89ab]/.test(plain)) return 'a private network';
  const parts = V4.exec(plain);
  if (parts) return `network ${parts[1]}.${parts[2]}.${parts[3]}.0/24`;
  return /^[0-9a-f:]+$/.test(plain) && plain.includes(':')
    ? `network ${firstGroups(plain)}::/48`
    : 'an unknown network';
}
