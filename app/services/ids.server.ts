import { randomBytes } from 'node:crypto';

/** A new id: 8 hexadecimal digits of the time in seconds, then 64 random bits, so that ids sort by their making. */
export function newId(now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
}

/** A new calculation's id: `calc_`, the time in milliseconds, and 48 random bits. */
export function newCalculationId(now: Date): string {
  return `calc_${now.getTime()}${randomBytes(6).toString('hex')}`;
}
