import {
  DEFAULT_NOTIFICATION_CHOICES,
  type NotificationChoices,
} from '#app/domain/reminders/notification-choices.ts';
import {
  notificationChangesSchema,
  type NotificationChangesInput,
} from '#app/domain/reminders/notification-choices-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/**
 * An account's notification settings; those never set are as in {@link DEFAULT_NOTIFICATION_CHOICES}.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN for somebody else's
 */
export async function getNotificationChoices(ctx: Ctx, ownerId: string): Promise<NotificationChoices> {
  authorise(ctx.actor, 'notification-choices.read', { ownerId });
  return { ...DEFAULT_NOTIFICATION_CHOICES, ...(await ctx.repos.notificationChoices.find(ownerId)) };
}

/**
 * Changes some of the signed-in user's settings.
 * @returns all settings afterwards
 * @throws AppError INVALID_INPUT
 */
export async function updateNotificationChoices(
  ctx: Ctx,
  input: NotificationChangesInput,
): Promise<NotificationChoices> {
  const { id } = authoriseUser(ctx.actor, 'notification-choices.change');
  const given = Object.entries(parseInput(notificationChangesSchema, input));
  const changes = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  if (Object.keys(changes).length > 0) await ctx.repos.notificationChoices.update(id, changes);
  if ('missedAfterHours' in changes) await ctx.repos.doses.forgetMissTimes(id);
  return getNotificationChoices(ctx, id);
}
