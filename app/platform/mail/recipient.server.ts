import { isGone } from '#app/domain/accounts/account.ts';
import type { NotificationChoices } from '#app/domain/reminders/notification-choices.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import type { PushSubscriptionRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { getNotificationChoices } from './notification-choices.server.ts';

/** An account to remind, and how. */
export interface Recipient {
  userId: string;
  email: string;
  choices: NotificationChoices;
  /** Subscribed browsers; empty when push is turned off. */
  subscriptions: readonly PushSubscriptionRecord[];
}

/** @returns null for an account that gets no reminders: deleted, suspended, or without Premium */
export async function findRecipient(ctx: Ctx, userId: string): Promise<Recipient | null> {
  const user = await ctx.repos.users.find(userId);
  const now = ctx.now();
  if (user === null || user.suspendedAt !== null || isGone(user, now)) return null;
  if (!entitlementOf(user, now).isPremium) return null;
  const choices = await getNotificationChoices(ctx, userId);
  const subscriptions = choices.push ? await ctx.repos.pushSubscriptions.list(userId) : [];
  return { userId, email: user.email, choices, subscriptions };
}
