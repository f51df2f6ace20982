import type { Role } from '#app/domain/accounts/account.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { createAdminSchema, type CreateAdminInput } from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { accountView, type AccountView } from '#app/platform/access/owner.server.ts';
import { claimAddress, refuseCommonPassword, hashPassword } from '#app/features/accounts/index.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { repos } from '../repositories.server.ts';

/** The role of a new admin. Unless a role is requested, the first admin becomes super admin. */
async function takeRole(ctx: Ctx, userId: string, wish: CreateAdminInput['role']): Promise<Role> {
  const { superAdmins } = repos(ctx);
  const role = wish ?? ((await superAdmins.exist()) ? 'admin' : 'super_admin');
  if (role === 'super_admin') await superAdmins.add(userId);
  return role;
}

/**
 * Creates an admin account. Only at the terminal.
 * @throws AppError INVALID_INPUT, FORBIDDEN, CONFLICT when the email already has an account
 */
export async function createAdmin(ctx: Ctx, input: CreateAdminInput): Promise<AccountView> {
  authorise(ctx.actor, 'admin.create');
  const { email, password, role: wish } = parseInput(createAdminSchema, input);
  await refuseCommonPassword(password);
  const passwordHash = await hashPassword({ address: ctx.client.address, account: email }, password);
  return ctx.transaction(async () => {
    const now = ctx.now();
    const id = newId(now);
    if (!(await claimAddress(ctx, email, id))) {
      throw conflict('ALREADY_EXISTS', `An account with the address ${email} already exists.`);
    }
    const role = await takeRole(ctx, id, wish);
    await repos(ctx).users.create({
      id,
      email,
      passwordHash,
      role,
      timeZone: ctx.timeZone,
      createdAt: now,
      emailConfirmedAt: now,
    });
    await recordAudit(ctx, { action: 'admin.create', subjectId: id, before: {}, after: { role } });
    const user = await repos(ctx).users.find(id);
    if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
    return accountView(user, ctx);
  });
}
