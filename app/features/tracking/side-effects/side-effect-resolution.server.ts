import { AppError } from '#app/domain/errors.ts';
import { SIDE_EFFECT_MESSAGES } from '#app/domain/tracking/side-effect-schema.ts';
import { effectEnd, NO_END, type EffectEnd } from '#app/domain/tracking/side-effect-end.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { AHEAD_MS } from '#app/platform/event-time.server.ts';

export { NO_END as noEnd, type EffectEnd };

/**
 * The end of a side effect from a day or a moment that the operation's schema has let through.
 * @throws AppError INVALID_INPUT when it lies in the future or before the start
 */
export function endOf(ctx: Ctx, text: string, startedAt: Date): EffectEnd {
  const end = effectEnd(text, startedAt, { now: ctx.now(), timeZone: ctx.timeZone, aheadMs: AHEAD_MS });
  if (!('problem' in end)) return end;
  const message = SIDE_EFFECT_MESSAGES[end.problem];
  throw new AppError('INVALID_INPUT', message, { fields: { resolvedDate: [message] } });
}
