import { AppError } from '#app/domain/errors.ts';
import { entitlementOf } from '#app/domain/plans/index.ts';
import { changeStatusSchema, type ChangeStatusInput } from '#app/domain/schemas/admin.ts';
import { parseInput } from '#app/domain/schemas/parse-input.ts';
import type { UserRecord } from '#models/index.server.ts';
import { accountView, type AccountView } from './accounts.server.ts';
import { recordAudit } from './audit.server.ts';
import { authorise } from './authorise.server.ts';
import type { Ctx } from './context.server.ts';
import { getUserByEmail } from './owner.server.ts';
import { refuseAllSessions } from './session-ending.server.ts';

/** What the audit keeps of an account's standing. */
function standing(user: UserRecord, now: Date): Record<string, unknown> {
  const { subscription, status } = entitlementOf(user, now);
  return { suspended: user.suspendedAt !== null, subscription, subscriptionStatus: status };
}

async function getSubject(ctx: Ctx, email: string): Promise<UserRecord> {
  const subject = await getUserByEmail(ctx, email);
  authorise(ctx.actor, 'admin.change-status', { subject: { id: subject.id, role: subject.role } });
  return subject;
}

async function finish(
  ctx: Ctx,
  action: string,
  before: UserRecord,
  reason: string | undefined,
): Promise<AccountView> {
  const now = ctx.now();
  const user = await ctx.repos.users.findById(before.id);
  if (user === null) throw new AppError('NOT_FOUND', 'There is no account with this address.');
  const change = { before: standing(before, now), after: standing(user, now), reason };
  await recordAudit(ctx, { action, subjectId: user.id, ...change });
  return accountView(user, now);
}

/** Gives up the role that must have a holder, so that the last super admin cannot be put out. */
async function leaveRole(ctx: Ctx, subject: UserRecord): Promise<void> {
  if (subject.role !== 'super_admin') return;
  if (await ctx.repos.roleHolders.removeUnlessLast(subject.id)) return;
  throw new AppError('CONFLICT', 'This is the only super admin. Make another one first.');
}

/**
 * Suspends an account: its subscription and trial end, and it is out everywhere at its next request.
 * @throws AppError FORBIDDEN, NOT_FOUND, CONFLICT when it is suspended already or the last super admin
 */
export async function suspendAccount(ctx: Ctx, input: ChangeStatusInput): Promise<AccountView> {
  const { email, reason } = parseInput(changeStatusSchema, input);
  authorise(ctx.actor, 'admin.find-account');
  const subject = await getSubject(ctx, email);
  if (subject.suspendedAt !== null) throw new AppError('CONFLICT', `${email} is suspended already.`);
  await leaveRole(ctx, subject);
  const before = await ctx.repos.users.suspend(subject.id, ctx.now());
  if (before === null) throw new AppError('CONFLICT', `${email} is suspended already.`);
  await refuseAllSessions(ctx, subject.id);
  return finish(ctx, 'user.suspend', before, reason);
}

/**
 * Lifts a suspension. What it ended stays ended: the subscription remains canceled, and the person signs in anew.
 * @throws AppError FORBIDDEN, NOT_FOUND, CONFLICT when it is not suspended
 */
export async function reinstateAccount(ctx: Ctx, input: ChangeStatusInput): Promise<AccountView> {
  const { email, reason } = parseInput(changeStatusSchema, input);
  authorise(ctx.actor, 'admin.find-account');
  const subject = await getSubject(ctx, email);
  const before = await ctx.repos.users.reinstate(subject.id);
  if (before === null) throw new AppError('CONFLICT', `${email} is not suspended.`);
  if (before.role === 'super_admin') await ctx.repos.roleHolders.add(before.id);
  return finish(ctx, 'user.reinstate', before, reason);
}
