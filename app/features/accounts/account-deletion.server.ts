import { deletionTime, isDemoAddress } from '#app/domain/accounts/account.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { isAppError, conflict, fieldError } from '#app/domain/errors.ts';
import {
  accountDeletedMail,
  deletionCancelledMail,
  deletionScheduledMail,
} from '#app/domain/accounts/account-mails.ts';
import {
  deleteAccountSchema,
  DELETION_MESSAGES,
  type DeleteAccountInput,
} from '#app/domain/accounts/account-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import type { UserRecord } from '#models/index.server.ts';
import { forgetCustomer } from '#app/features/billing/index.server.ts';
import { authorise, authoriseUser, authoriseRecent } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { repos } from './repositories.server.ts';

/**
 * When the signed-in user's account will be deleted.
 * @returns null when no deletion is scheduled
 */
export async function findDeletion(ctx: Ctx): Promise<Date | null> {
  const { id } = authoriseUser(ctx.actor, 'account.read');
  return (await repos(ctx).users.find(id))?.deleteAfter ?? null;
}

/**
 * Schedules the deletion of the signed-in user's account in 48 hours. Until then the account works as before.
 * @returns when it will be deleted
 * @throws AppError RECENT_SIGN_IN_REQUIRED; INVALID_INPUT when the typed address is not the account's; CONFLICT for a
 * super admin and when a deletion is already scheduled
 */
export async function scheduleDeletion(ctx: Ctx, input: DeleteAccountInput): Promise<Date> {
  const user = authoriseRecent(ctx, 'account.delete');
  const { email } = parseInput(deleteAccountSchema, input);
  if (email !== user.email) throw fieldError('email', DELETION_MESSAGES.email);
  if (user.role === 'super_admin') throw conflict('WRONG_STATE', DELETION_MESSAGES.superAdmin);
  const at = deletionTime(ctx.now());
  return ctx.transaction(async () => {
    if (!(await repos(ctx).users.scheduleDeletion(user.id, at))) {
      throw conflict('WRONG_STATE', DELETION_MESSAGES.alreadyScheduled);
    }
    await recordAudit(ctx, {
      action: 'account.ask-deletion',
      subjectId: user.id,
      before: { deleteAfter: null },
      after: { deleteAfter: at },
    });
    const { appUrl, timeZone } = ctx;
    await ctx.mailQueue.post(
      user.email,
      deletionScheduledMail({ appUrl, at, timeZone, isSelling: ctx.isSelling }),
    );
    return at;
  });
}

/**
 * Cancels the scheduled deletion of the signed-in user's account.
 * @throws AppError CONFLICT when none is scheduled
 */
export async function cancelDeletion(ctx: Ctx): Promise<void> {
  const user = authoriseUser(ctx.actor, 'account.keep');
  await ctx.transaction(async () => {
    if (!(await repos(ctx).users.cancelDeletion(user.id, ctx.now()))) {
      throw conflict('WRONG_STATE', DELETION_MESSAGES.late);
    }
    await recordAudit(ctx, {
      action: 'account.keep',
      subjectId: user.id,
      before: {},
      after: { deleteAfter: null },
    });
    await ctx.mailQueue.post(user.email, deletionCancelledMail({ appUrl: ctx.appUrl }));
  });
}

/** How long a worker may take to delete an account; after that another one takes over. */
const CLAIM_MS = 10 * MINUTE_MS;

const BATCH = 20;

/**
 * Deletes the accounts whose deletion is due, with everything that names them; rows that must be kept stay under the id
 * alone. For the worker; concurrent runs are harmless, and interrupted ones are resumed.
 * @returns how many were deleted
 */
export async function purgeDueAccounts(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'account.purge');
  let purged = 0;
  const now = ctx.now();
  const until = new Date(now.getTime() + CLAIM_MS);
  // Each account of a batch is claimed, whether deleted or not, so no later batch of this run includes it again.
  for (;;) {
    const due = await repos(ctx).users.findDeletionsDue(now, BATCH);
    if (due.length === 0) return purged;
    for (const id of due) {
      const user = await repos(ctx).users.claimDeletion(id, now, until);
      if (user === null || !(await mayDelete(ctx, user))) continue;
      if (await tryPurge(ctx, user)) purged += 1;
    }
  }
}

/** False for the last super admin, without whom nobody could administer the site. */
async function mayDelete(ctx: Ctx, user: UserRecord): Promise<boolean> {
  if (user.role !== 'super_admin' || (await repos(ctx).superAdmins.deleteUnlessLast(user.id))) return true;
  ctx.log.warn({ userId: user.id }, 'the only super admin is not deleted');
  return false;
}

async function purge(ctx: Ctx, user: UserRecord): Promise<void> {
  await forgetCustomer(ctx, user);
  const subject = { id: user.id, email: user.email };
  const { accountStandings, personalData, processSignals } = repos(ctx);
  // A demo belongs to nobody: it needs no audit entry, and no mail was ever sent to it.
  const isDemo = isDemoAddress(user.email);
  if (!isDemo) await ctx.mailer.forget(user.email);
  await personalData.deleteOwned(subject);
  await ctx.transaction(async () => {
    await accountStandings.leave(user.id);
    await personalData.deleteAccount(subject);
    if (isDemo) return;
    await recordAudit(ctx, { action: 'account.delete', subjectId: user.id, before: {}, after: {} });
    await ctx.mailQueue.post(user.email, { ...accountDeletedMail({ appUrl: ctx.appUrl }), isFarewell: true });
  });
  // Once more, for anything that a request wrote meanwhile.
  await personalData.deleteOwned(subject);
  // The data file still contains what was deleted until it is compacted.
  await processSignals.ask('compact-database', ctx.now());
}

/** @returns false when the payment provider did not answer: an account is deleted only after its subscription has ended */
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
