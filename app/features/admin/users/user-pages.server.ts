import { ADMIN_MESSAGES, type UserChangeForm } from '#app/domain/admin/admin-schema.ts';
import {
  offeredChanges,
  PLAN_CHANGES,
  USER_CHANGES,
  type UserChange,
} from '#app/domain/admin/user-changes.ts';
import { browserName } from '#app/domain/accounts/browser-name.ts';
import { conflict } from '#app/domain/errors.ts';
import { mayDo } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { changeUser, type UserSession } from './user-changes.server.ts';
import type { ListedUser } from './users.server.ts';
import { dollars } from '#app/domain/mail/letter.ts';
import { billingLabel } from '#app/domain/billing/subscription-events.ts';
import { shownInstantInZone } from '#app/domain/time/zoned-time.ts';
import type { AuditEntry } from '#app/features/admin/audit-trail.server.ts';
import { actionText, changesText } from '#app/domain/audit/audit-texts.ts';
import type { UserDetail } from './user-detail.server.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';

/** A user of the list as texts. */
export function userRow(user: ListedUser, timeZone: string) {
  const { id, email, role, subscription, subscriptionStatus, suspended, lastLogin, secondFactor } = user;
  return {
    id,
    email,
    role,
    subscription,
    subscriptionStatus,
    suspended,
    secondFactor,
    lastLogin: lastLogin === null ? 'Never' : shownInstantInZone(lastLogin, timeZone),
  };
}

const PLAN_NAMES = { monthly: 'Monthly', yearly: 'Yearly' } as const;

/** Changes offered in the list of users; its rows have no room for more. */
const IN_LIST: readonly UserChange[] = ['upgrade', 'downgrade', 'suspend', 'reinstate'];

/** A user of the list with the changes that this administrator may make. */
export function listedRow(actor: SignedInUser, user: ListedUser, isSelling: boolean) {
  const changes = offeredTo(actor, user, isSelling).filter((change) => IN_LIST.includes(change));
  return { ...userRow(user, actor.timeZone), changes };
}

/** The query of the list that a page was opened from, so that its back link leads to the same rows. */
export const listQueryOf = (url: URL): string => url.searchParams.get('list')?.slice(0, 500) ?? '';

/** A session of a user as texts. */
export function userSessionRow({ id, userAgent, lastUsedAt, createdAt }: UserSession, timeZone: string) {
  return {
    id,
    browser: browserName(userAgent),
    lastUsed: shownInstantInZone(lastUsedAt, timeZone),
    started: shownInstantInZone(createdAt, timeZone),
  };
}

/** The detail page of a user as texts. */
export function userDetail(user: UserDetail, timeZone: string) {
  const at = (instant: Date | null) => (instant === null ? null : shownInstantInZone(instant, timeZone));
  const { name, timeZone: zone, source, sessions, stripeCustomerId, usage, billing, history } = user;
  const { lastPayment } = billing;
  return {
    ...userRow(user, timeZone),
    name,
    zone,
    source,
    sessions: sessions.map((session) => userSessionRow(session, timeZone)),
    stripeCustomerId,
    customerUrl: billing.customerUrl,
    plan: billing.plan === null ? null : PLAN_NAMES[billing.plan],
    renews: at(billing.renewsAt),
    ends: at(billing.endsAt),
    lastPayment: lastPayment && `${dollars(lastPayment.amountCents)}, ${at(lastPayment.at)}`,
    openIssues: billing.openIssues.map((issue) => ({
      label: billingLabel(issue.type),
      href: `/admin/dashboard/subscriptions/issues/${encodeURIComponent(issue.id)}`,
    })),
    created: shownInstantInZone(user.createdAt, timeZone),
    lastSeen: shownInstantInZone(user.lastSeenAt, timeZone),
    trialEnds: at(user.trialEndsAt),
    creditUntil: at(user.creditUntil),
    granted: at(user.grantedAt),
    suspendedSince: at(user.suspendedAt),
    deleteAfter: at(user.deleteAfter),
    usage: Object.entries(usage).map(([kind, count]) => ({ kind: kind.replace('_', ' '), count })),
    history: history.map((entry) => auditRow(entry, timeZone)),
  };
}

/** The changes that apply to an account now and that this administrator may make. */
export function offeredTo(actor: SignedInUser, user: ListedUser, isSelling: boolean): UserChange[] {
  const resource = { subject: { id: user.id, role: user.role } };
  const offered = offeredChanges(user).filter((change) => isSelling || !PLAN_CHANGES.includes(change));
  return offered.filter((change) => mayDo(actor, USER_CHANGES[change].permission, resource));
}

/**
 * Makes the change that the user confirmed on a page.
 * @param session id of the session to end
 * @returns the success message
 * @throws AppError CONFLICT without the revision that was shown, INVALID_INPUT without a reason; as {@link changeUser}
 */
export async function submitUserChange(
  ctx: Ctx,
  change: UserChange,
  id: string,
  session: string | null,
  { reason, revision, role, confirmEmail }: UserChangeForm,
): Promise<string> {
  if (!/^\d{1,9}$/.test(revision)) throw conflict('CHANGED_MEANWHILE', ADMIN_MESSAGES.stale);
  const details = {
    ...(change === 'role' ? { role } : {}),
    ...(change === 'delete' ? { confirmEmail } : {}),
    ...(change === 'end-session' ? { session: session ?? '' } : {}),
  };
  const account = await changeUser(ctx, change, { id, reason, revision, ...details });
  return USER_CHANGES[change].done(account);
}

/** Links to the next and previous page of a list with cursors. */
export function cursorPages(url: URL, { next, previous }: { next: string | null; previous: string | null }) {
  const to = (cursor: string | null) =>
    cursor === null ? undefined : pageAddress(url.pathname, url.searchParams, { cursor, page: null });
  return { nextHref: to(next), previousHref: to(previous) };
}

/** How the audit trail names someone: by email, as a terminal user, or by the id of a deleted account. */
function personText(name: string, email: string | null): string {
  return email ?? (/^[0-9a-f]{24}$/.test(name) ? `deleted account ${name}` : name);
}

/** A row of the audit trail as texts. */
export function auditRow(entry: AuditEntry, timeZone: string) {
  const { id, at, action, actor, actorEmail, subjectId, subjectEmail, reason, from } = entry;
  return {
    id,
    when: shownInstantInZone(at, timeZone),
    action,
    what: actionText(action),
    actor: personText(actor, actorEmail),
    subject: personText(subjectId, subjectEmail),
    subjectId: subjectEmail === null ? null : subjectId,
    changes: changesText(entry),
    reason,
    from,
  };
}
