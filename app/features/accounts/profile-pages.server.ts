import { NOTIFICATION_MESSAGES, notificationFormSchema } from '#app/domain/reminders/notification-choices.ts';
import { browserName } from '#app/domain/accounts/browser-name.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import type { ApiTokenView } from './api-tokens.server.ts';
import type { IdentityView } from './identities.server.ts';
import type { PasskeyView } from './passkeys.server.ts';
import type { ApiTokenRow } from './profile/api-tokens.tsx';
import type { IdentityRow } from './profile/identities.tsx';
import type { PasskeyRow } from './profile/passkeys.tsx';
import type { SessionRow } from './profile/sessions.tsx';
import type { SessionSummary } from './sessions.server.ts';

/** A session as texts for its owner's page, with times in their zone. */
export function sessionRow(session: SessionSummary, timeZone: string): SessionRow {
  const { id, address, userAgent, isCurrent, lastUsedAt, createdAt } = session;
  return {
    id,
    browser: browserName(userAgent),
    address,
    isCurrent,
    lastUsed: shownInstant(lastUsedAt, timeZone),
    started: shownInstant(createdAt, timeZone),
  };
}

/** A personal token as texts for its owner's page, with times in their zone. */
export function apiTokenRow(token: ApiTokenView, timeZone: string): ApiTokenRow {
  const { id, name, scope, isOver, isConnection, createdAt, expiresAt, lastUsedAt } = token;
  return {
    id,
    name,
    scope,
    isExpired: isOver,
    isConnection,
    created: shownInstant(createdAt, timeZone),
    expires: expiresAt && shownInstant(expiresAt, timeZone),
    lastUsed: lastUsedAt && shownInstant(lastUsedAt, timeZone),
  };
}

/** A passkey as texts for its owner's page, with times in their zone. */
export function passkeyRow(passkey: PasskeyView, timeZone: string): PasskeyRow {
  const { id, name, isSynced, createdAt, lastUsedAt } = passkey;
  return {
    id,
    name,
    isSynced,
    created: shownInstant(createdAt, timeZone),
    lastUsed: lastUsedAt && shownInstant(lastUsedAt, timeZone),
  };
}

/** A link with a provider as texts for its owner's page, with times in their zone. */
export function identityRow(identity: IdentityView, timeZone: string): IdentityRow {
  const { id, name, email, createdAt, lastUsedAt } = identity;
  return {
    id,
    name,
    email,
    created: shownInstant(createdAt, timeZone),
    lastUsed: lastUsedAt && shownInstant(lastUsedAt, timeZone),
  };
}

/** Handles the form of the notification choices: continues to the next page, or shows the form again. */
export async function submitNotifications({ request, ctx }: UserPageArgs, next: string) {
  return submit(request, notificationFormSchema, async (input) => {
    await updateNotificationChoices(ctx, input);
    return done(next, NOTIFICATION_MESSAGES.saved);
  });
}
