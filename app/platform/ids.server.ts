import { createHash, randomBytes } from 'node:crypto';

/** A new id: 8 hexadecimal digits of the time in seconds, then 64 random bits, so that ids sort by creation time. */
export function newId(now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
}

/** A new calculation's id: `calc_`, the time in milliseconds, and 48 random bits. */
export function newCalculationId(now: Date): string {
  return `calc_${now.getTime()}${randomBytes(6).toString('hex')}`;
}

/**
 * The id of something created by a form: the same for the same owner and key, so that a form sent twice creates only one.
 * Without a key it is a new id.
 * @param idempotencyKey from the form; only its first 100 characters count
 */
export function idFromKey(prefix: string, now: Date, ownerId: string, idempotencyKey?: string): string {
  if (idempotencyKey === undefined || idempotencyKey === '') return `${prefix}_${newId(now)}`;
  const digest = createHash('sha256')
    .update(`${ownerId}\n${idempotencyKey.slice(0, 100)}`)
    .digest('hex');
  return `${prefix}_${digest.slice(0, 24)}`;
}

/** The id of a schedule's dose on a local day (YYYY-MM-DD) at a wall time (HH:mm): always the same, `dose_` and 96 bits. */
export function scheduledDoseId(scheduleId: string, localDay: string, wallTime: string): string {
  const hash = createHash('sha256').update(`${scheduleId} ${localDay} ${wallTime}`).digest('hex');
  return `dose_${hash.slice(0, 24)}`;
}
