import { shownInstant } from '#app/domain/time/format-instant.ts';
import type { AuditEntry } from '#app/features/admin/audit-trail.server.ts';
import { actionText } from '#app/domain/audit/audit-texts.ts';
import type { ListedUser } from './users.server.ts';
import type { UserDetail } from './user-detail.server.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';

/** A row of the list of users as texts. */
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
    lastLogin: lastLogin === null ? 'Never' : shownInstant(lastLogin, timeZone),
  };
}

/** The links around a page that is read by cursors. */
export function cursorPages(url: URL, { next, previous }: { next: string | null; previous: string | null }) {
  const to = (cursor: string | null) =>
    cursor === null ? undefined : pageAddress(url.pathname, url.searchParams, { cursor, page: null });
  return { nextHref: to(next), previousHref: to(previous) };
}

/** Who is meant by a name in the audit trail: an address, a terminal's user, or the id of a deleted account. */
function personText(name: string, email: string | null): string {
  return email ?? (/^[0-9a-f]{24}$/.test(name) ? `deleted account ${name}` : name);
}

/** Facts of an audit row as `field: before → after`, those that changed alone. */
function changesText({ before, after }: AuditEntry): string {
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => shown(before[field]) !== shown(after[field]))
    .map((field) => `${field}: ${shown(before[field])} → ${shown(after[field])}`)
    .join(', ');
}

/** A row of the audit trail as texts. */
export function auditRow(entry: AuditEntry, timeZone: string) {
  const { id, at, action, actor, actorEmail, subjectId, subjectEmail, reason, from } = entry;
  return {
    id,
    when: shownInstant(at, timeZone),
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

/** The detail page of a user as texts. */
export function userDetail(user: UserDetail, timeZone: string) {
  const at = (instant: Date | null) => (instant === null ? null : shownInstant(instant, timeZone));
  const { name, timeZone: zone, source, sessions, stripeCustomerId, usage, history } = user;
  return {
    ...userRow(user, timeZone),
    name,
    zone,
    source,
    sessions,
    stripeCustomerId,
    created: shownInstant(user.createdAt, timeZone),
    lastSeen: shownInstant(user.lastSeenAt, timeZone),
    trialEnds: at(user.trialEndsAt),
    creditUntil: at(user.creditUntil),
    granted: at(user.grantedAt),
    suspendedSince: at(user.suspendedAt),
    deleteAfter: at(user.deleteAfter),
    usage: Object.entries(usage).map(([kind, count]) => ({ kind: kind.replace('_', ' '), count })),
    history: history.map((entry) => auditRow(entry, timeZone)),
  };
}
