import { authorise } from './authorise.server.ts';
import type { Actor } from './context.server.ts';

/** Who may make a call: anyone, signed-in users, users with Premium, admins. */
export type CallAccess = 'public' | 'user' | 'premium' | 'admin';

/** The scope that a personal token needs for a call. */
export type CallScope = 'read' | 'write';

/** What a call of the JSON API asks of its caller. */
export interface CallRule {
  access: CallAccess;
  scope: CallScope;
  /** Refuses personal tokens, because the call is about the session or the security of the account. */
  sessionOnly: boolean;
}

/**
 * Asks the policy whether somebody may make a call at all, before its input is read. The operation behind it asks
 * again, about the data concerned.
 * @throws AppError UNAUTHENTICATED, PREMIUM_REQUIRED, FORBIDDEN, SECOND_FACTOR_SETUP_REQUIRED
 */
export function authoriseCall(actor: Actor, { access, scope, sessionOnly }: CallRule): void {
  if (access === 'public') return;
  authorise(actor, 'api.call');
  if (sessionOnly) authorise(actor, 'api.call-of-session');
  if (scope === 'write') authorise(actor, 'api.write');
  if (access === 'admin') authorise(actor, 'api.call-of-admin');
  if (access !== 'premium' || actor.kind !== 'user') return;
  const { id, entitlement } = actor;
  authorise(actor, 'api.call-of-premium', { ownerId: id, ownerIsPremium: entitlement.isPremium });
}
