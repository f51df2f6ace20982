import { demoInterestSchema, type DemoInterestInput } from '#app/domain/demo/demo.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';

/**
 * Saves the address of somebody who wants to hear about the demo, once, with the time it was first sent. Known and new
 * addresses get the same answer. No mail is sent.
 * @throws AppError INVALID_INPUT, RATE_LIMITED
 */
export async function keepDemoInterest(ctx: Ctx, input: DemoInterestInput): Promise<void> {
  authorise(ctx.actor, 'demo-interest.keep');
  const { email } = parseInput(demoInterestSchema, input);
  await ctx.throttle.take({ rule: THROTTLE_RULES.demoInterest, who: ctx.client.address });
  await ctx.repos.demoInterest.keep(email, ctx.now());
}
