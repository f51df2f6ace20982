import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** Something that happened lately: to an account, or with a payment. */
export type Activity = { id: string; at: Date; userId: string; email: string | null } & (
  | { kind: 'audit'; action: string }
  | { kind: 'payment'; eventType: string; amountCents: number; status: string }
);

const SHOWN = 12;

/**
 * What happened last, from the audit trail and the billing record, the newest first.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function recentActivity(ctx: Ctx): Promise<Activity[]> {
  authorise(ctx.actor, 'admin.stats');
  const [rows, events] = await Promise.all([
    ctx.repos.auditLists.read({}, null, { backwards: false, limit: SHOWN }),
    ctx.repos.subscriptionEvents.listLatest(SHOWN),
  ]);
  const emails = await ctx.repos.userLists.findEmails([
    ...rows.map(({ subjectId }) => subjectId),
    ...events.map(({ userId }) => userId),
  ]);
  const named = (userId: string) => ({ userId, email: emails.get(userId) ?? null });
  const activity: Activity[] = [
    ...rows.map(({ id, at, action, subjectId }) => ({
      kind: 'audit' as const,
      id,
      at,
      action,
      ...named(subjectId),
    })),
    ...events.map(({ id, createdAt, eventType, amountCents, status, userId }) => {
      return {
        kind: 'payment' as const,
        id,
        at: createdAt,
        eventType,
        amountCents,
        status,
        ...named(userId),
      };
    }),
  ];
  return activity.sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, SHOWN);
}
