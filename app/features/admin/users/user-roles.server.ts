import type { Role } from '#app/domain/accounts/roles.ts';
import { roleStep } from '#app/domain/admin/user-filter.ts';
import { AppError } from '#app/domain/errors.ts';
import {
  changeRoleSchema,
  changeStatusSchema,
  type ChangeRoleInput,
  type ChangeStatusInput,
} from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import type { AccountView } from '#app/platform/access/account-view.server.ts';
import { changed, finishChange, leavingRole, openSubject } from './user-changes.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/**
 * Gives an account another role; it counts from the account's next request on.
 * @throws AppError FORBIDDEN for all but super admins, RECENT_SIGN_IN_REQUIRED, NOT_FOUND; CONFLICT when it has that
 * role, is suspended, is the last super admin, or was changed since it was shown
 */
export async function changeRole(ctx: Ctx, input: ChangeRoleInput): Promise<AccountView> {
  const { reason, role, ...who } = parseInput(changeRoleSchema, input);
  const subject = await openSubject(ctx, 'admin.change-role', who);
  const { email } = subject;
  if (subject.role === role) throw new AppError('CONFLICT', `${email} has that role already.`);
  if (subject.suspendedAt !== null) {
    throw new AppError('CONFLICT', `${email} is suspended. Reinstate the account first.`);
  }
  const write = () => ctx.repos.userAdmin.changeRole(subject, role);
  const before = role === 'super_admin' ? changed(await write()) : await leavingRole(ctx, subject, write);
  // After the role, never before: whoever counts as a holder must be one.
  if (role === 'super_admin') await ctx.repos.roleHolders.add(subject.id);
  return finishChange(ctx, { action: 'user.change-role', before, reason });
}

async function step(ctx: Ctx, input: ChangeStatusInput, way: 'up' | 'down'): Promise<AccountView> {
  const named = parseInput(changeStatusSchema, input);
  const subject = await openSubject(ctx, 'admin.change-role', named);
  const role: Role | null = roleStep(subject.role, way);
  if (role === null) {
    const end = way === 'up' ? 'the highest' : 'the lowest';
    throw new AppError('CONFLICT', `${subject.email} has ${end} role already.`);
  }
  return changeRole(ctx, {
    ...input,
    id: subject.id,
    revision: input.revision ?? subject.adminRevision ?? 0,
    role,
  });
}

/** One role up: a user becomes admin, an admin super admin. @throws AppError as {@link changeRole} */
export function promoteAccount(ctx: Ctx, input: ChangeStatusInput): Promise<AccountView> {
  return step(ctx, input, 'up');
}

/** One role down: a super admin becomes admin, an admin a user. @throws AppError as {@link changeRole} */
export function demoteAccount(ctx: Ctx, input: ChangeStatusInput): Promise<AccountView> {
  return step(ctx, input, 'down');
}
