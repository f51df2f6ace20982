import { AppError } from '#app/domain/errors.ts';
import { readMoment } from '#app/domain/time/zoned-time.ts';
import type { Ctx } from './access/context.server.ts';

/**
 * A new account counts in UTC until it says where it is, so that its clock can be ahead of ours by most of a day; more
 * than that is a slip.
 */
export const AHEAD_MS = 24 * 3_600_000;

/**
 * The instant of something that has happened, from a moment that the operation's schema has let through.
 * @param field whose message it is when the moment lies in the future
 * @throws AppError INVALID_INPUT
 */
export function pastInstant(ctx: Ctx, text: string, field: string, message: string): Date {
  const at = readMoment(text, ctx.timeZone, ctx.now());
  if (at !== null && at.getTime() <= ctx.now().getTime() + AHEAD_MS) return at;
  throw new AppError('INVALID_INPUT', message, { fields: { [field]: [message] } });
}
