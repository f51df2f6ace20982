import { authorise } from './authorise.server.ts';
import type { Actor } from './context.server.ts';

/** Who may make a call: anybody, somebody signed in, somebody with Premium, an admin. */
export type CallAccess = 'public' | 'user' | 'premium' | 'admin';

/** What a personal token must be allowed to. */
export type CallScope = 'read' | 'write';

/** What a call of the JSON API asks of its caller. */
export interface CallRule {
  access: CallAccess;
  scope: CallScope;
  /** Only a token from sign-in will do, because the call is about that sign-in or about the account itself. */
  sessionOnly: boolean;
}

/**
 * Asks the policy whether somebody may make a call at all, before its input is read. The service behind it asks again
 * for what it is done to.
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
