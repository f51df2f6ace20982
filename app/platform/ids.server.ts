import { createHash, randomBytes } from 'node:crypto';

/** A new id: 8 hexadecimal digits of the time in seconds, then 64 random bits, so that ids sort by their making. */
export function newId(now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
}

/** A new calculation's id: `calc_`, the time in milliseconds, and 48 random bits. */
export function newCalculationId(now: Date): string {
  return `calc_${now.getTime()}${randomBytes(6).toString('hex')}`;
}

/**
 * The id of something that one press of a button makes: the same for the same press of the same person, so that a form
 * sent twice makes one. Without `press` it is a new one.
 * @param idempotencyKey what the form carried, at most 100 characters of it
 */
export function idFromKey(prefix: string, now: Date, ownerId: string, idempotencyKey?: string): string {
  if (idempotencyKey === undefined || idempotencyKey === '') return `${prefix}_${newId(now)}`;
  const digest = createHash('sha256')
    .update(`${ownerId}\n${idempotencyKey.slice(0, 100)}`)
    .digest('hex');
  return `${prefix}_${digest.slice(0, 24)}`;
}

/** The id of a schedule's dose at a local day (YYYY-MM-DD) and wall time (HH:mm): always the same, `dose_` and 96 bits. */
export function scheduledDoseId(scheduleId: string, localDay: string, wallTime: string): string {
  const hash = createHash('sha256').update(`${scheduleId} ${localDay} ${wallTime}`).digest('hex');
  return `dose_${hash.slice(0, 24)}`;
}
