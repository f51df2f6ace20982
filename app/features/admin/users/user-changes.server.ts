import { isGone, type Role } from '#app/domain/accounts/account.ts';
import { passkeyRemovedMail, secondFactorOffMail } from '#app/domain/accounts/account-mails.ts';
import {
  ADMIN_MESSAGES,
  changeSubjectSchema,
  userChangeSchema,
  type UserChangeInput,
} from '#app/domain/admin/admin-schema.ts';
import { PLAN_CHANGES, roleStep, USER_CHANGES, type UserChange } from '#app/domain/admin/user-changes.ts';
import { entitlementOf, type EntitlementTerms } from '#app/domain/billing/plans.ts';
import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { UserRecord } from '#models/index.server.ts';
import { endAllSessions, endSessionOf, refuseAllSessions } from '#app/features/accounts/index.server.ts';
import { endPremium, endSubscriptions } from '#app/features/billing/index.server.ts';
import { accountView, type AccountView, getUserByEmail } from '#app/platform/access/owner.server.ts';
import { authorise, authoriseRecentOver } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { listedUser, type ListedUser } from './users.server.ts';
import { repos } from '../repositories.server.ts';

/** Names the account, with the revision that was shown to the administrator. */
interface SubjectInput {
  id?: string | undefined;
  email?: string | undefined;
  revision?: number | undefined;
}

/** Input that only some changes need. */
interface ChangeDetails {
  role: Role | undefined;
  confirmEmail: string | undefined;
  session: string | undefined;
}

/**
 * Changes an account and records it in the audit trail, in one transaction. Pages, API and terminal all use this operation;
 * {@link STEPS} defines what each change does.
 * @returns the account after the change
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, NOT_FOUND; CONFLICT when the
 * change does not apply to the account, or someone else has changed it since it was shown
 */
export async function changeUser(ctx: Ctx, change: UserChange, input: UserChangeInput): Promise<AccountView> {
  authorise(ctx.actor, 'admin.find-account');
  requirePlans(ctx, change);
  const named = parseInput(changeSubjectSchema, input);
  return ctx.transaction(async () => {
    const subject = await openSubject(ctx, change, named);
    const { reason, role, confirmEmail, session } = parseInput(userChangeSchema, input);
    const before = await STEPS[change](ctx, subject, { role, confirmEmail, session });
    const after = await findSubject(ctx, { id: subject.id });
    await recordAudit(ctx, {
      action: USER_CHANGES[change].auditAction,
      subjectId: subject.id,
      before: { ...auditedFacts(before, ctx), ...(session === undefined ? {} : { session }) },
      after: auditedFacts(after, ctx),
      reason,
    });
    return accountView(after, ctx);
  });
}

/** @throws AppError NOT_FOUND for a change of plan on a server without plans */
function requirePlans({ isSelling }: Ctx, change: UserChange): void {
  if (!isSelling && PLAN_CHANGES.includes(change)) throw new AppError('NOT_FOUND', ADMIN_MESSAGES.noPlans);
}

/** An account to be changed, for the confirmation page. */
export interface ChangeSubject extends ListedUser {
  revision: number;
  /** The session to end; null if it has already ended, and for other changes. */
  session: UserSession | null;
}

/**
 * The account to be changed, for administrators who may make the change.
 * @param session id of the session to end
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND
 */
export async function openUserChange(
  ctx: Ctx,
  change: UserChange,
  id: string,
  session: string | null,
): Promise<ChangeSubject> {
  authorise(ctx.actor, 'admin.find-account');
  requirePlans(ctx, change);
  const user = await openSubject(ctx, change, { id });
  return {
    ...listedUser(user, ctx),
    revision: user.adminRevision ?? 0,
    session: change === 'end-session' ? await findUserSession(ctx, user.id, session) : null,
  };
}

/** A session as administrators see it, without its network address. */
export interface UserSession {
  id: string;
  userAgent: string | null;
  createdAt: Date;
  lastUsedAt: Date;
}

/** The active sessions of an account, last used first. */
export async function listUserSessions(ctx: Ctx, userId: string): Promise<UserSession[]> {
  authorise(ctx.actor, 'admin.view-account');
  const records = await repos(ctx).sessions.list(userId, ctx.now());
  return records.map(({ signInId, userAgent, createdAt, lastUsedAt }) => ({
    id: signInId,
    userAgent,
    createdAt,
    lastUsedAt,
  }));
}

async function findUserSession(ctx: Ctx, userId: string, id: string | null | undefined) {
  return (await listUserSessions(ctx, userId)).find((one) => one.id === id) ?? null;
}

/**
 * The account that an administrator names.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND
 */
export async function findSubject(ctx: Ctx, { id, email = '' }: SubjectInput): Promise<UserRecord> {
  authorise(ctx.actor, 'admin.find-account');
  const subject = id === undefined ? await getUserByEmail(ctx, email) : await repos(ctx).users.find(id);
  if (subject === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  return subject;
}

/** An account that an administrator names, in the form in which {@link changeUser} returns it. @throws as {@link findSubject} */
export async function getUser(ctx: Ctx, id: string): Promise<AccountView> {
  return accountView(await findSubject(ctx, { id }), ctx);
}

async function openSubject(ctx: Ctx, change: UserChange, named: SubjectInput): Promise<UserRecord> {
  const subject = await findSubject(ctx, named);
  const { permission } = USER_CHANGES[change];
  authoriseRecentOver(ctx, permission, { subject: { id: subject.id, role: subject.role } });
  if (named.revision !== undefined && named.revision !== (subject.adminRevision ?? 0)) throw stale();
  return subject;
}

/** What each change does. Each step returns the account as it was before. */
const STEPS: Readonly<
  Record<UserChange, (ctx: Ctx, subject: UserRecord, details: ChangeDetails) => Promise<UserRecord>>
> = {
  /** A trial or subscription continues alongside the grant. */
  async upgrade(ctx, subject) {
    refuseSuspended(subject);
    if (subject.grantedAt !== null)
      throw conflict('ALREADY_GRANTED', `${subject.email} was granted Premium before. Nothing was changed.`);
    const before = written(await repos(ctx).userAdmin.grantPremium(subject, ctx.now()));
    // The calculations of active sessions become permanent, as at the start of a trial.
    await repos(ctx).calculations.keep(subject.id);
    return before;
  },

  async downgrade(ctx, subject) {
    if (!entitlementOf(subject, ctx).isPremium)
      throw conflict('NO_PREMIUM', `${subject.email} has no Premium to end.`);
    const before = written(await repos(ctx).userAdmin.revokePremium(subject, ctx.now()));
    await endPremium(ctx, subject.id);
    return before;
  },

  async suspend(ctx, subject) {
    if (subject.suspendedAt !== null)
      throw conflict('ALREADY_SUSPENDED', `${subject.email} was suspended before. Nothing was changed.`);
    await leaveSuperAdmins(ctx, subject);
    const before = written(await repos(ctx).userAdmin.suspend(subject, ctx.now()));
    await refuseAllSessions(ctx, subject);
    await endSubscriptions(ctx, subject.id);
    return before;
  },

  /** The subscription stays canceled, and the user has to sign in again; a grant, credit and the rest of a trial resume. */
  async reinstate(ctx, subject) {
    if (subject.suspendedAt === null) throw conflict('NOT_SUSPENDED', `${subject.email} is not suspended.`);
    const before = written(await repos(ctx).userAdmin.reinstate(subject, ctx.now()));
    if (before.role === 'super_admin') await repos(ctx).superAdmins.add(before.id);
    return before;
  },

  async 'sign-out'(ctx, subject) {
    const before = written(await repos(ctx).userAdmin.moveRevision(subject));
    await endAllSessions(ctx, subject);
    return before;
  },

  async 'end-session'(ctx, subject, { session }) {
    const running = await findUserSession(ctx, subject.id, session);
    if (running === null) throw conflict('ALREADY_OFF', ADMIN_MESSAGES.sessionOver);
    const before = written(await repos(ctx).userAdmin.moveRevision(subject));
    await endSessionOf(ctx, subject, running.id);
    return before;
  },

  async 'reset-second-factor'(ctx, subject) {
    const { id, email, timeZone } = subject;
    if (subject.secondFactorAt == null) throw conflict('ALREADY_OFF', `${email} has no two-step sign-in.`);
    const before = written(await repos(ctx).userAdmin.resetSecondFactor(subject));
    await repos(ctx).secondFactors.delete(id);
    // A passkey replaces the second factor, and whoever has the lost phone may have one.
    const passkeys = await repos(ctx).passkeys.list(id);
    await repos(ctx).passkeys.clear(id);
    const moment = { appUrl: ctx.appUrl, at: ctx.now(), timeZone };
    await ctx.mailQueue.post(email, secondFactorOffMail(moment));
    for (const { name } of passkeys) await ctx.mailQueue.post(email, passkeyRemovedMail({ ...moment, name }));
    return before;
  },

  role(ctx, subject, { role }) {
    if (role === undefined) throw fieldError('role', ADMIN_MESSAGES.role);
    return setRole(ctx, subject, role);
  },

  promote(ctx, subject) {
    const role = roleStep(subject.role, 'up');
    if (role === null) throw conflict('SAME_ROLE', `${subject.email} already has the highest role.`);
    return setRole(ctx, subject, role);
  },

  demote(ctx, subject) {
    const role = roleStep(subject.role, 'down');
    if (role === null) throw conflict('SAME_ROLE', `${subject.email} already has the lowest role.`);
    return setRole(ctx, subject, role);
  },

  /** Locks the account now; the worker deletes everything within minutes, at the payment provider too. */
  async delete(ctx, subject, { confirmEmail }) {
    if (confirmEmail !== subject.email) throw fieldError('confirmEmail', ADMIN_MESSAGES.confirmEmail);
    if (subject.role === 'super_admin') throw conflict('WRONG_STATE', ADMIN_MESSAGES.deleteSuperAdmin);
    const now = ctx.now();
    if (isGone(subject, now)) throw conflict('WRONG_STATE', `${subject.email} is already being deleted.`);
    const before = written(await repos(ctx).userAdmin.deleteFrom(subject, now));
    await refuseAllSessions(ctx, subject);
    return before;
  },
};

async function setRole(ctx: Ctx, subject: UserRecord, role: Role): Promise<UserRecord> {
  if (subject.role === role) throw conflict('SAME_ROLE', `${subject.email} already has that role.`);
  refuseSuspended(subject);
  if (role === 'super_admin') await repos(ctx).superAdmins.add(subject.id);
  else await leaveSuperAdmins(ctx, subject);
  return written(await repos(ctx).userAdmin.changeRole(subject, role));
}

/**
 * Takes a super admin off their list.
 * @throws AppError CONFLICT for the last one
 */
async function leaveSuperAdmins(ctx: Ctx, subject: UserRecord): Promise<void> {
  if (subject.role === 'super_admin' && !(await repos(ctx).superAdmins.deleteUnlessLast(subject.id)))
    throw conflict('LAST_SUPER_ADMIN', ADMIN_MESSAGES.lastSuperAdmin);
}

const stale = () => conflict('CHANGED_MEANWHILE', ADMIN_MESSAGES.stale);

function refuseSuspended({ email, suspendedAt }: UserRecord): void {
  if (suspendedAt !== null)
    throw conflict('ACCOUNT_SUSPENDED', `${email} is suspended. Reinstate the account first.`);
}

/** @param before null when someone else was faster @throws AppError CONFLICT */
function written(before: UserRecord | null): UserRecord {
  if (before === null) throw stale();
  return before;
}

/** The facts about an account that the audit trail records before and after a change. */
function auditedFacts(user: UserRecord, terms: EntitlementTerms): Record<string, unknown> {
  const { subscription, status } = entitlementOf(user, terms);
  return {
    role: user.role,
    suspended: user.suspendedAt !== null,
    ...(terms.isSelling ? { subscription, subscriptionStatus: status } : {}),
    secondFactor: user.secondFactorAt != null,
    deleteAfter: user.deleteAfter,
  };
}
