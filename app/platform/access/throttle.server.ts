import { createHash } from 'node:crypto';
import { AppError } from '#app/domain/errors.ts';
import { plural } from '#app/domain/text/plural.ts';
import { HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { isOutOfSpace, type Repositories } from '#models/index.server.ts';
import { clientKey } from './client-key.server.ts';

/** At most `limit` events in a window that begins with the first event. */
export interface ThrottleRule {
  name: string;
  limit: number;
  windowMs: number;
  /** Counts network clients; all others count accounts, addresses or secrets. See {@link clientKey}. */
  per?: 'client';
  /** Counts requests that may only read. They are answered even if they cannot be counted because the disk is full. */
  reading?: true;
}

/** The limits, before `RATE_LIMIT_FACTOR` multiplies them. */
export const THROTTLE_RULES = {
  signInAccount: { name: 'sign-in-account', limit: 10, windowMs: 15 * MINUTE_MS },
  signInClient: { name: 'sign-in-client', limit: 50, windowMs: 15 * MINUTE_MS, per: 'client' },
  // Successes: more than anyone's browsers and scripts need, each with its own session. Failures don't count.
  signIns: { name: 'sign-ins', limit: 100, windowMs: 15 * MINUTE_MS },
  // One known browser or address of the account, and all known ones together.
  signInDevice: { name: 'sign-in-device', limit: 10, windowMs: 15 * MINUTE_MS },
  signInDevices: { name: 'sign-in-devices', limit: 20, windowMs: 15 * MINUTE_MS },
  // Guesses at the password in a session left open.
  passwordCheck: { name: 'password-check', limit: 10, windowMs: 15 * MINUTE_MS },
  secondFactor: { name: 'second-factor', limit: 10, windowMs: 15 * MINUTE_MS },
  // Each one is stored until it is answered or expires.
  passkeyChallenge: { name: 'passkey-challenge', limit: 60, windowMs: 15 * MINUTE_MS, per: 'client' },
  // Each one leads to a provider of sign-ins, and stores a secret until the browser is back.
  providerVisit: { name: 'provider-visit', limit: 60, windowMs: 15 * MINUTE_MS, per: 'client' },
  // Nothing is stored for it.
  programRegistration: { name: 'program-registration', limit: 20, windowMs: HOUR_MS, per: 'client' },
  api: { name: 'api', limit: 600, windowMs: MINUTE_MS, reading: true },
  apiClient: { name: 'api', limit: 600, windowMs: MINUTE_MS, per: 'client', reading: true },
  registration: { name: 'registration', limit: 60, windowMs: HOUR_MS, per: 'client' },
  resetAddress: { name: 'reset-address', limit: 5, windowMs: HOUR_MS },
  resetClient: { name: 'reset-client', limit: 30, windowMs: HOUR_MS, per: 'client' },
  emailConfirmation: { name: 'email-confirmation', limit: 5, windowMs: HOUR_MS },
  emailChange: { name: 'email-change', limit: 5, windowMs: HOUR_MS },
  // Each one calls the payment provider.
  checkout: { name: 'checkout', limit: 60, windowMs: HOUR_MS },
  // Each one writes a year of data.
  demo: { name: 'demo', limit: 5, windowMs: HOUR_MS, per: 'client' },
  demoInterest: { name: 'demo-interest', limit: 20, windowMs: HOUR_MS, per: 'client' },
  // Views of shared links, and guesses at them.
  reportShareView: { name: 'report-share-view', limit: 120, windowMs: HOUR_MS, per: 'client', reading: true },
  reportShare: { name: 'report-share', limit: 60, windowMs: HOUR_MS },
  catalogueImport: { name: 'catalogue-import', limit: 30, windowMs: HOUR_MS },
  // Calendar apps refresh automatically. A person may use several, and one service may fetch for many people.
  calendarFeed: { name: 'calendar-feed', limit: 120, windowMs: HOUR_MS, reading: true },
  calendarClient: { name: 'calendar-client', limit: 600, windowMs: HOUR_MS, per: 'client', reading: true },
  // Each one resolves a name, or sends something immediately.
  webhookChange: { name: 'webhook-change', limit: 60, windowMs: HOUR_MS },
  webhookTest: { name: 'webhook-test', limit: 60, windowMs: HOUR_MS },
  // More than anyone does by hand, but too few to flood another server.
  webhookEvent: { name: 'webhook-event', limit: 3000, windowMs: HOUR_MS },
  pushSubscription: { name: 'push-subscription', limit: 20, windowMs: HOUR_MS },
  // A confirmation of each push. A household may share an address.
  pushShown: { name: 'push-shown', limit: 600, windowMs: HOUR_MS, per: 'client' },
  // Every picture, including those in an order's documents, is decoded and re-encoded.
  pictures: { name: 'pictures', limit: 120, windowMs: HOUR_MS },
  import: { name: 'import', limit: 60, windowMs: HOUR_MS },
  dataDownload: { name: 'data-download', limit: 20, windowMs: HOUR_MS },
  // The page sends two requests: one to check the form, one for the file.
  export: { name: 'export', limit: 120, windowMs: HOUR_MS, reading: true },
} as const satisfies Record<string, ThrottleRule>;

/** A rule for one account, client or device. */
export interface Bucket {
  rule: ThrottleRule;
  /** Who is counted, for a client its network address; stored as a hash. */
  who: string;
}

/** How much of a limit is left. */
export interface Quota {
  limit: number;
  windowSeconds: number;
  /** Events still allowed in this window. */
  remaining: number;
  /** Seconds until the next window. */
  resetSeconds: number;
}

/** Counts events and rejects those above the limit. Counts are in the database, so they apply across processes. */
export interface Throttle {
  /** Counts one event. @throws AppError RATE_LIMITED when it is one too many */
  take(bucket: Bucket): Promise<void>;
  /** Counts one event and returns what is left of the limit, even if the event exceeded it. */
  count(bucket: Bucket): Promise<{ quota: Quota; refusal: AppError | null }>;
  /** Counts nothing. @throws AppError RATE_LIMITED when the bucket is full */
  check(buckets: readonly Bucket[]): Promise<void>;
  /**
   * Checks a guess at a secret. Only wrong guesses count. The count is read before and after, so that of many simultaneous
   * guesses no more than the limit get an answer, and a correct one among the rest is rejected, too.
   * @param refusal creates the error for a wrong guess
   * @throws AppError RATE_LIMITED, or the refusal
   */
  checkGuess(
    buckets: readonly Bucket[],
    isRight: () => Promise<boolean>,
    refusal: () => AppError,
  ): Promise<void>;
}

function keyOf({ rule, who }: Bucket): string {
  const counted = rule.per === 'client' ? `client:${clientKey(who)}` : who;
  return `${rule.name}:${createHash('sha256').update(counted).digest('base64url')}`;
}

function refusal(expiresAt: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000));
  const wait = seconds > 90 ? plural(Math.ceil(seconds / 60), 'minute') : plural(seconds, 'second');
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
  async function hit(bucket: Bucket, at: Date) {
    const { windowMs, reading }: ThrottleRule = bucket.rule;
    const key = keyOf(bucket);
    try {
      return await repos.throttles.hit(key, at, windowMs);
    } catch (error) {
      if (reading !== true || !isOutOfSpace(error)) throw error;
      const state = await repos.throttles.peek(key, at);
      return state ?? { count: 1, expiresAt: new Date(at.getTime() + windowMs) };
    }
  }
  async function count(bucket: Bucket): Promise<{ quota: Quota; refusal: AppError | null }> {
    const at = now();
    const state = await hit(bucket, at);
    const limit = limitOf(bucket.rule);
    const quota = {
      limit,
      windowSeconds: bucket.rule.windowMs / 1000,
      remaining: Math.max(0, limit - state.count),
      resetSeconds: Math.max(1, Math.ceil((state.expiresAt.getTime() - at.getTime()) / 1000)),
    };
    return { quota, refusal: state.count > limit ? refusal(state.expiresAt, at) : null };
  }
  async function take(bucket: Bucket): Promise<void> {
    const counted = await count(bucket);
    if (counted.refusal !== null) throw counted.refusal;
  }
  async function check(buckets: readonly Bucket[]): Promise<void> {
    const at = now();
    for (const bucket of buckets) {
      const state = await repos.throttles.peek(keyOf(bucket), at);
      if (state !== null && state.count >= limitOf(bucket.rule)) throw refusal(state.expiresAt, at);
    }
  }
  return {
    take,
    count,
    check,
    async checkGuess(buckets, isRight, wrong) {
      await check(buckets);
      if (!(await isRight())) {
        await Promise.all(buckets.map(take));
        throw wrong();
      }
      await check(buckets);
    },
  };
}
