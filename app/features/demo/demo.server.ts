import {
  DEMO_MESSAGES,
  startDemoSchema,
  type StartDemoInput,
  demoInterestSchema,
  type DemoInterestInput,
} from '#app/domain/demo/demo.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { actorOf, startDemoAccount } from '#app/features/accounts/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { contextAs, type Ctx } from '#app/platform/access/context.server.ts';
import { getUserByEmail } from '#app/platform/access/owner.server.ts';
import { requireSwitchedOn } from '#app/platform/flags/flags.server.ts';
import { writeYear } from './demo-year.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { repos } from './repositories.server.ts';

/**
 * Creates a demo account with a year of data and signs the visitor in to it.
 * @throws AppError SWITCHED_OFF; RATE_LIMITED, also when all demos are in use
 */
export async function startDemo(ctx: Ctx, input: StartDemoInput) {
  authorise(ctx.actor, 'demo.start');
  await requireSwitchedOn(ctx, 'demo');
  const { timeZone = ctx.timeZone } = parseInput(startDemoSchema, input);
  return startDemoAccount(ctx, { timeZone, fill: writeYear });
}

/**
 * Writes the demo's year into an existing empty account with Premium, for screenshots and tests. Terminal only.
 * @throws AppError NOT_FOUND (no such account), PREMIUM_REQUIRED; CONFLICT when the account is not empty
 */
export async function fillDemo(ctx: Ctx, email: string): Promise<void> {
  authorise(ctx.actor, 'demo.fill');
  const user = await getUserByEmail(ctx, email);
  if (!entitlementOf(user, ctx).isPremium)
    throw new AppError('PREMIUM_REQUIRED', DEMO_MESSAGES.notPremium(user.email));
  const { vials, orders, schedules } = repos(ctx);
  const found = await Promise.all([vials.countAll(user.id), orders.count(user.id), schedules.count(user.id)]);
  if (found.some((count) => count > 0)) throw conflict('ALREADY_EXISTS', DEMO_MESSAGES.notEmpty);
  const session = { signInId: user.id, authenticatedAt: ctx.now() };
  await writeYear(contextAs(ctx, actorOf(ctx, user, session)));
}

/**
 * Saves the address of a person who wants to hear about the demo, once, with the time it was first sent. Known and new
 * addresses get the same answer. No mail is sent.
 * @throws AppError INVALID_INPUT, RATE_LIMITED
 */
export async function keepDemoInterest(ctx: Ctx, input: DemoInterestInput): Promise<void> {
  authorise(ctx.actor, 'demo-interest.keep');
  const { email } = parseInput(demoInterestSchema, input);
  await ctx.throttle.take({ rule: THROTTLE_RULES.demoInterest, who: ctx.client.address });
  await repos(ctx).demoInterest.keep(email, ctx.now());
}
