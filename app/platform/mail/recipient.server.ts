import { isGone, isDemoAddress } from '#app/domain/accounts/account.ts';
import type { NotificationChoices } from '#app/domain/reminders/notification-choices.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import type { NtfyTopicRecord, PushSubscriptionRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { getNotificationChoices } from './notification-choices.server.ts';

/** An account to remind, and how. */
export interface Recipient {
  userId: string;
  email: string;
  /** Whether anything of it leaves this server; not in a demo. */
  sendsOutside: boolean;
  choices: NotificationChoices;
  /** Subscribed browsers; empty when push is turned off. */
  subscriptions: readonly PushSubscriptionRecord[];
  /** Null when it is turned off. */
  ntfy: NtfyTopicRecord | null;
}

/** @returns null for an account that gets no reminders: deleted, suspended, or without Premium */
export async function findRecipient(ctx: Ctx, userId: string): Promise<Recipient | null> {
  const user = await ctx.repos.users.find(userId);
  const now = ctx.now();
  if (user === null || user.suspendedAt !== null || isGone(user, now)) return null;
  if (!entitlementOf(user, now).isPremium) return null;
  const chosen = await getNotificationChoices(ctx, userId);
  // In a demo reminders are shown on its pages and sent nowhere.
  const sendsOutside = !isDemoAddress(user.email);
  const choices = sendsOutside ? chosen : { ...chosen, email: false, push: false, ntfy: false };
  const subscriptions = choices.push ? await ctx.repos.pushSubscriptions.list(userId) : [];
  const ntfy = choices.ntfy ? await ctx.repos.ntfyTopics.find(userId) : null;
  return { userId, email: user.email, sendsOutside, choices, subscriptions, ntfy };
}
