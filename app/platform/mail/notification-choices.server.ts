import {
  DEFAULT_NOTIFICATION_CHOICES,
  type NotificationState,
  notificationChangesSchema,
  type NotificationChangesInput,
} from '#app/domain/reminders/notification-choices.ts';
import { endOfDay } from '#app/domain/reminders/quiet-hours.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { isGone, isDemoAddress } from '#app/domain/accounts/account.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import type { NtfyTopicRecord, PushSubscriptionRecord } from '#models/index.server.ts';
import { repos } from './repositories.server.ts';

/**
 * An account's notification settings, with {@link DEFAULT_NOTIFICATION_CHOICES} for those never set.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN for another account
 */
export async function getNotificationChoices(ctx: Ctx, ownerId: string): Promise<NotificationState> {
  authorise(ctx.actor, 'notification-choices.read', { ownerId });
  return { ...DEFAULT_NOTIFICATION_CHOICES, ...(await repos(ctx).notificationChoices.find(ownerId)) };
}

/**
 * Changes some of the signed-in user's settings.
 * @returns all settings afterwards
 * @throws AppError INVALID_INPUT
 */
export async function updateNotificationChoices(
  ctx: Ctx,
  input: NotificationChangesInput,
): Promise<NotificationState> {
  const { id } = authoriseUser(ctx.actor, 'notification-choices.change');
  const { muted, ...settings } = parseInput(notificationChangesSchema, input);
  const mutedUntil = muted === true ? endOfDay(ctx.now(), ctx.timeZone) : muted === false ? null : undefined;
  const entries = Object.entries({ ...settings, mutedUntil });
  const changes = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  if (Object.keys(changes).length > 0) await repos(ctx).notificationChoices.update(id, changes);
  if ('missedAfterHours' in changes) await repos(ctx).doses.forgetMissTimes(id);
  return getNotificationChoices(ctx, id);
}

/** An account that receives notifications. */
interface NotifiedAccount {
  userId: string;
  email: string;
  /** Whether anything is sent outside this server; false for a demo. */
  sendsOutside: boolean;
  /** IANA name. */
  timeZone: string;
  choices: NotificationState;
}

/** The same, with the channels for its reminders. */
export interface Recipient extends NotifiedAccount {
  /** Subscribed browsers; empty if push is turned off. */
  subscriptions: readonly PushSubscriptionRecord[];
  /** Null if turned off. */
  ntfy: NtfyTopicRecord | null;
}

/** @returns null for an account without notifications: deleted, suspended, or without Premium */
export async function findNotifiedAccount(ctx: Ctx, userId: string): Promise<NotifiedAccount | null> {
  const user = await repos(ctx).users.find(userId);
  const now = ctx.now();
  if (user === null || user.suspendedAt !== null || isGone(user, now)) return null;
  if (!entitlementOf(user, ctx).isPremium) return null;
  const chosen = await getNotificationChoices(ctx, userId);
  // A demo shows reminders on its pages but sends none.
  const sendsOutside = !isDemoAddress(user.email);
  const choices = sendsOutside ? chosen : { ...chosen, email: false, push: false, ntfy: false };
  return { userId, email: user.email, timeZone: user.timeZone, sendsOutside, choices };
}

/** @returns null for an account that gets no reminders */
export async function findRecipient(ctx: Ctx, userId: string): Promise<Recipient | null> {
  const account = await findNotifiedAccount(ctx, userId);
  if (account === null) return null;
  const { push, ntfy } = account.choices;
  return {
    ...account,
    subscriptions: push ? await repos(ctx).pushSubscriptions.list(userId) : [],
    ntfy: ntfy ? await repos(ctx).ntfyTopics.find(userId) : null,
  };
}
