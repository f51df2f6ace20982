import { AppError } from '#app/domain/errors.ts';
import { trialEnd } from '#app/domain/billing/plans.ts';
import { accountView, type AccountView } from '#app/platform/access/owner.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { requireSwitchedOn } from '#app/platform/flags/flags.server.ts';

/**
 * Starts the signed-in user's free trial, once per account, and keeps what the running sessions hold.
 * @throws AppError SWITCHED_OFF, CONFLICT when the account has had its trial
 */
export async function startTrial(ctx: Ctx): Promise<AccountView> {
  const { id } = authoriseUser(ctx.actor, 'trial.start');
  await requireSwitchedOn(ctx, 'trials');
  const now = ctx.now();
  if (!(await ctx.repos.users.startTrial(id, now, trialEnd(now)))) {
    throw new AppError('CONFLICT', 'The free trial of this account has been used.');
  }
  await ctx.repos.calculations.keep(id, now);
  const user = await ctx.repos.users.findById(id);
  if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  return accountView(user, now);
}
