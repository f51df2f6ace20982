import { AppError } from '#app/domain/errors.ts';
import { entitlementOf } from '#app/domain/billing/entitlement.ts';
import { changeStatusSchema, type ChangeStatusInput } from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import type { AccountView } from '#app/platform/access/account-view.server.ts';
import { changed, finishChange, openSubject } from './user-changes.server.ts';
import { endPremium } from '#app/features/billing/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/**
 * Grants premium until an administrator ends it. A running trial or subscription goes on beside it.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND; CONFLICT when premium is granted already, the account
 * is suspended, or was changed since it was shown
 */
export async function upgradeAccount(ctx: Ctx, input: ChangeStatusInput): Promise<AccountView> {
  const { reason, ...who } = parseInput(changeStatusSchema, input);
  const subject = await openSubject(ctx, 'admin.change-plan', who);
  if (subject.suspendedAt !== null) {
    throw new AppError('CONFLICT', `${subject.email} is suspended. Reinstate the account first.`);
  }
  if (subject.grantedAt !== null)
    throw new AppError('CONFLICT', `${subject.email} has been granted Premium.`);
  const before = changed(await ctx.repos.userAdmin.grantPremium(subject, ctx.now()));
  // What the running sessions hold is kept from now on, as at the start of a trial.
  await ctx.repos.calculations.keep(subject.id, ctx.now());
  return finishChange(ctx, { action: 'user.upgrade', before, reason });
}

/**
 * Ends everything that makes an account premium, at once: grant, trial, credit and the subscription, at the payment
 * provider too.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND; CONFLICT when the account is free or was changed since
 * it was shown
 */
export async function downgradeAccount(ctx: Ctx, input: ChangeStatusInput): Promise<AccountView> {
  const { reason, ...who } = parseInput(changeStatusSchema, input);
  const subject = await openSubject(ctx, 'admin.change-plan', who);
  if (!entitlementOf(subject, ctx.now()).isPremium) {
    throw new AppError('CONFLICT', `${subject.email} has no Premium to end.`);
  }
  const before = changed(await ctx.repos.userAdmin.revokePremium(subject, ctx.now()));
  await endPremium(ctx, subject.id);
  return finishChange(ctx, { action: 'user.downgrade', before, reason });
}
