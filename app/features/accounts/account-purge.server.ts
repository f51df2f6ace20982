import { isAppError } from '#app/domain/errors.ts';
import { accountDeletedMail } from '#app/domain/accounts/account-mails.ts';
import type { UserRecord } from '#models/index.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { forgetCustomer } from '#app/features/billing/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** How long one worker has an account in hand; after that it was cut off, and another one goes on. */
const CLAIM_MS = 10 * 60_000;

const BATCH = 20;

/** False for the only super admin, without whom nobody could run the place. */
async function mayGo(ctx: Ctx, user: UserRecord): Promise<boolean> {
  if (user.role !== 'super_admin' || (await ctx.repos.roleHolders.removeUnlessLast(user.id))) return true;
  ctx.log.warn({ userId: user.id }, 'the only super admin is not deleted');
  return false;
}

async function purge(ctx: Ctx, user: UserRecord): Promise<void> {
  await forgetCustomer(ctx, user);
  const subject = { id: user.id, email: user.email };
  await ctx.repos.holdings.removeAll(subject);
  // What was written by a request that was under way when the first round began.
  await ctx.repos.holdings.removeAll(subject);
  await recordAudit(ctx, { action: 'account.delete', subjectId: user.id, before: {}, after: {} });
  ctx.postbox.post(user.email, accountDeletedMail({ appUrl: ctx.appUrl }));
}

/** @returns false when the payment provider must be asked again first: nobody pays for an account that is gone */
async function tryPurge(ctx: Ctx, user: UserRecord): Promise<boolean> {
  try {
    await purge(ctx, user);
    return true;
  } catch (error) {
    if (!isAppError(error) || error.code !== 'PROVIDER_UNAVAILABLE') throw error;
    ctx.log.warn({ userId: user.id }, 'a deletion waits for the payment provider');
    return false;
  }
}

/**
 * Deletes accounts whose time has come: everything that names them goes, but for rows that are kept under the id
 * alone. Run it now and then; several at once do no harm, and one that was cut off is taken up again.
 * @returns how many were deleted
 */
export async function purgeDueAccounts(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'account.purge');
  let purged = 0;
  const now = ctx.now();
  const until = new Date(now.getTime() + CLAIM_MS);
  // Whatever became of them, those of one batch are in hand and in no later one.
  for (;;) {
    const due = await ctx.repos.users.findDeletionsDue(now, BATCH);
    if (due.length === 0) return purged;
    for (const id of due) {
      const user = await ctx.repos.users.claimDeletion(id, now, until);
      if (user === null || !(await mayGo(ctx, user))) continue;
      if (await tryPurge(ctx, user)) purged += 1;
    }
  }
}
