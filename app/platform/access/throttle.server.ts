import { createHash } from 'node:crypto';
import { AppError } from '#app/domain/errors.ts';
import type { Repositories } from '#models/index.server.ts';

/** So many events in a window that begins with the first one. */
export interface ThrottleRule {
  name: string;
  limit: number;
  windowMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The limits (decisions, section 14; `RATE_LIMIT_FACTOR` multiplies them). */
export const THROTTLE_RULES = {
  signInAccount: { name: 'sign-in-account', limit: 10, windowMs: 15 * MINUTE_MS },
  signInClient: { name: 'sign-in-client', limit: 50, windowMs: 15 * MINUTE_MS },
  signInDevice: { name: 'sign-in-device', limit: 10, windowMs: 15 * MINUTE_MS },
  // Guesses at the password of a session somebody left open.
  passwordCheck: { name: 'password-check', limit: 10, windowMs: 15 * MINUTE_MS },
  secondFactor: { name: 'second-factor', limit: 10, windowMs: 15 * MINUTE_MS },
  api: { name: 'api', limit: 600, windowMs: MINUTE_MS },
  registration: { name: 'registration', limit: 60, windowMs: HOUR_MS },
  resetAddress: { name: 'reset-address', limit: 5, windowMs: HOUR_MS },
  resetClient: { name: 'reset-client', limit: 30, windowMs: HOUR_MS },
  emailChange: { name: 'email-change', limit: 5, windowMs: HOUR_MS },
  // Each one asks the payment provider.
  checkout: { name: 'checkout', limit: 60, windowMs: HOUR_MS },
  demoInterest: { name: 'demo-interest', limit: 20, windowMs: HOUR_MS },
  // Guesses, and looks at one link too many.
  reportShareView: { name: 'report-share-view', limit: 120, windowMs: HOUR_MS },
  reportShare: { name: 'report-share', limit: 60, windowMs: HOUR_MS },
  catalogueImport: { name: 'catalogue-import', limit: 30, windowMs: HOUR_MS },
  // Calendar programs look now and then by themselves, several of one person, some from one address for many.
  calendarFeed: { name: 'calendar-feed', limit: 120, windowMs: HOUR_MS },
  calendarClient: { name: 'calendar-client', limit: 600, windowMs: HOUR_MS },
  pushSubscription: { name: 'push-subscription', limit: 20, windowMs: HOUR_MS },
  // Each one, also a paper of an order, is decoded and made anew.
  pictures: { name: 'pictures', limit: 120, windowMs: HOUR_MS },
  import: { name: 'import', limit: 60, windowMs: HOUR_MS },
  dataDownload: { name: 'data-download', limit: 20, windowMs: HOUR_MS },
  // The page asks twice: once to check the form, once for the file.
  export: { name: 'export', limit: 120, windowMs: HOUR_MS },
} as const satisfies Record<string, ThrottleRule>;

/** A rule for one account, client or device. */
export interface Bucket {
  rule: ThrottleRule;
  /** Who is counted; kept as a hash. */
  who: string;
}

/** Counts events and says when it is enough. Counts live in the database, so they hold across processes. */
export interface Throttle {
  /** Counts one event. @throws AppError RATE_LIMITED when it is one too many */
  take(bucket: Bucket): Promise<void>;
  /** Counts nothing. @throws AppError RATE_LIMITED when the bucket is full */
  check(buckets: readonly Bucket[]): Promise<void>;
}

function keyOf({ rule, who }: Bucket): string {
  return `${rule.name}:${createHash('sha256').update(who).digest('base64url')}`;
}

function refusal(expiresAt: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000));
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return new AppError('RATE_LIMITED', `Too many attempts. Try again in ${wait}.`, {
    retryAfterSeconds: seconds,
  });
}

/** @param factor multiplies every limit (`RATE_LIMIT_FACTOR`); at least one event is always allowed */
export function createThrottle(
  repos: Pick<Repositories, 'throttles'>,
  factor: number,
  now: () => Date,
): Throttle {
  const limitOf = (rule: ThrottleRule) => Math.max(1, Math.floor(rule.limit * factor));
  return {
    async take(bucket) {
      const at = now();
      const { count, expiresAt } = await repos.throttles.hit(keyOf(bucket), at, bucket.rule.windowMs);
      if (count > limitOf(bucket.rule)) throw refusal(expiresAt, at);
    },
    async check(buckets) {
      const at = now();
      for (const bucket of buckets) {
        const state = await repos.throttles.peek(keyOf(bucket), at);
        if (state !== null && state.count >= limitOf(bucket.rule)) throw refusal(state.expiresAt, at);
      }
    },
  };
}
