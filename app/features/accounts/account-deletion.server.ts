import { deletionTime } from '#app/domain/accounts/deletion-grace.ts';
import { AppError } from '#app/domain/errors.ts';
import { deletionCancelledMail, deletionScheduledMail } from '#app/domain/accounts/account-mails.ts';
import {
  deleteAccountSchema,
  DELETION_MESSAGES,
  type DeleteAccountInput,
} from '#app/domain/accounts/account-deletion-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { authoriseRecent } from '#app/platform/access/recent-sign-in.server.ts';

/**
 * When the signed-in user's account will be deleted.
 * @returns null while nobody asked for it
 */
export async function deletionOf(ctx: Ctx): Promise<Date | null> {
  const { id } = authoriseUser(ctx.actor, 'account.read');
  return (await ctx.repos.users.findById(id))?.deleteAfter ?? null;
}

/**
 * Asks for the deletion of the signed-in user's account in 48 hours; until then it works as before.
 * @returns when it will be deleted
 * @throws AppError RECENT_SIGN_IN_REQUIRED; INVALID_INPUT when the address is not typed right; CONFLICT for a super
 * admin and when it was asked for already
 */
export async function askForDeletion(ctx: Ctx, input: DeleteAccountInput): Promise<Date> {
  const user = authoriseRecent(ctx, 'account.delete');
  const { email } = parseInput(deleteAccountSchema, input);
  if (email !== user.email) {
    const message = DELETION_MESSAGES.email;
    throw new AppError('INVALID_INPUT', message, { fields: { email: [message] } });
  }
  if (user.role === 'super_admin') throw new AppError('CONFLICT', DELETION_MESSAGES.superAdmin);
  const at = deletionTime(ctx.now());
  if (!(await ctx.repos.users.scheduleDeletion(user.id, at))) {
    throw new AppError('CONFLICT', DELETION_MESSAGES.asked);
  }
  await recordAudit(ctx, {
    action: 'account.ask-deletion',
    subjectId: user.id,
    before: { deleteAfter: null },
    after: { deleteAfter: at },
  });
  const { appUrl, timeZone } = ctx;
  ctx.postbox.post(user.email, deletionScheduledMail({ appUrl, at, timeZone }));
  return at;
}

/**
 * Calls the deletion of the signed-in user's account off.
 * @throws AppError CONFLICT when there is none
 */
export async function cancelDeletion(ctx: Ctx): Promise<void> {
  const user = authoriseUser(ctx.actor, 'account.change');
  if (!(await ctx.repos.users.cancelDeletion(user.id, ctx.now()))) {
    throw new AppError('CONFLICT', DELETION_MESSAGES.late);
  }
  await recordAudit(ctx, {
    action: 'account.keep',
    subjectId: user.id,
    before: {},
    after: { deleteAfter: null },
  });
  ctx.postbox.post(user.email, deletionCancelledMail({ appUrl: ctx.appUrl }));
}
