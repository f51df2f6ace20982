import { demoInterestSchema, type DemoInterestInput } from '#app/domain/site/waitlist-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';

/**
 * Keeps the address of somebody who wants to hear of the demo, once, with the time it first came. Known and new
 * addresses are answered alike. No mail is sent.
 * @throws AppError INVALID_INPUT, RATE_LIMITED
 */
export async function keepDemoInterest(ctx: Ctx, input: DemoInterestInput): Promise<void> {
  authorise(ctx.actor, 'demo-interest.keep');
  const { email } = parseInput(demoInterestSchema, input);
  await ctx.throttle.take({ rule: THROTTLE_RULES.demoInterest, who: ctx.client.address });
  await ctx.repos.demoInterest.keep(email, ctx.now());
}
