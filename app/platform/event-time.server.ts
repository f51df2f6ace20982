import { fieldError } from '#app/domain/errors.ts';
import { readMoment } from '#app/domain/time/zoned-time.ts';
import type { Ctx } from './access/context.server.ts';

/**
 * A new account uses UTC until its time zone is set, so its clock can be ahead of ours by most of a day; more than that is a
 * mistake.
 */
export const AHEAD_MS = 24 * 3_600_000;

/**
 * The instant of a past event, from text that has passed the operation's schema.
 * @param field gets the message if the instant is in the future
 * @throws AppError INVALID_INPUT
 */
export function pastInstant(ctx: Ctx, text: string, field: string, message: string): Date {
  const at = readMoment(text, ctx.timeZone, ctx.now());
  if (at !== null && at.getTime() <= ctx.now().getTime() + AHEAD_MS) return at;
  throw fieldError(field, message);
}
