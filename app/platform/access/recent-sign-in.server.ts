import { isRecentSignIn } from '#app/domain/accounts/recent-sign-in.ts';
import { AppError } from '#app/domain/errors.ts';
import { authorise, authoriseUser, type Action, type Resource } from './authorise.server.ts';
import type { Ctx, SignedInUser } from './context.server.ts';

function requireRecent({ actor, now }: Ctx): void {
  if (actor.kind !== 'user' || isRecentSignIn(actor.authenticatedAt, now())) return;
  throw new AppError('RECENT_SIGN_IN_REQUIRED', 'Enter your password again to go on.');
}

/**
 * Asks the policy, and that the password was entered a short while ago: for what would lock the owner out or give
 * everything away if somebody else sat at an open session (ASVS 7.5).
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, RECENT_SIGN_IN_REQUIRED
 */
export function authoriseRecent(ctx: Ctx, action: Action): SignedInUser {
  const user = authoriseUser(ctx.actor, action);
  requireRecent(ctx);
  return user;
}

/**
 * The same for what is done to somebody else's account. At the terminal nobody is signed in, and nothing more is asked.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, SECOND_FACTOR_SETUP_REQUIRED, RECENT_SIGN_IN_REQUIRED
 */
export function authoriseRecentOver(ctx: Ctx, action: Action, resource: Resource): void {
  authorise(ctx.actor, action, resource);
  requireRecent(ctx);
}
