import { ADMIN_MESSAGES } from '#app/domain/admin/admin-schema.ts';
import { offeredChanges, USER_CHANGES, type UserChange } from '#app/domain/admin/user-changes.ts';
import { AppError } from '#app/domain/errors.ts';
import { mayDo } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { formText } from '#app/platform/http/forms.server.ts';
import { changeUser } from './user-changes.server.ts';
import type { ListedUser } from './users.server.ts';

/**
 * Makes the change that a page asked to confirm. @returns what to tell when it is done
 * @throws AppError CONFLICT without the revision that was shown, INVALID_INPUT without a reason; whatever
 * {@link changeUser} throws
 */
export async function submitUserChange(
  ctx: Ctx,
  change: UserChange,
  id: string,
  form: FormData,
): Promise<string> {
  const reason = formText(form, 'reason').trim();
  const revision = formText(form, 'revision');
  if (!/^\d{1,9}$/.test(revision)) throw new AppError('CONFLICT', ADMIN_MESSAGES.stale);
  if (reason === '') {
    const message = ADMIN_MESSAGES.reason;
    throw new AppError('INVALID_INPUT', message, { fields: { reason: [message] } });
  }
  const details = {
    ...(change === 'role' ? { role: formText(form, 'role') } : {}),
    ...(change === 'delete' ? { confirmEmail: formText(form, 'confirmEmail') } : {}),
  };
  const account = await changeUser(ctx, change, { id, reason, revision, ...details });
  return USER_CHANGES[change].done(account);
}

/** The changes of an account that make sense now and that this administrator may make. */
export function offeredTo(actor: SignedInUser, user: ListedUser): UserChange[] {
  const resource = { subject: { id: user.id, role: user.role } };
  return offeredChanges(user).filter((change) => mayDo(actor, USER_CHANGES[change].permission, resource));
}
