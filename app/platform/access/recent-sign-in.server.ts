import { isRecentSignIn } from '#app/domain/accounts/account.ts';
import { AppError } from '#app/domain/errors.ts';
import { authorise, authoriseUser, type Action, type Resource } from './authorise.server.ts';
import type { Ctx, SignedInUser } from './context.server.ts';

function requireRecent({ actor, now }: Ctx): void {
  if (actor.kind !== 'user' || isRecentSignIn(actor.authenticatedAt, now())) return;
  throw new AppError('RECENT_SIGN_IN_REQUIRED', 'Enter your password again to continue.');
}

/**
 * Asks the policy, and requires that the password was entered recently: for actions with which somebody at an
 * unattended session could lock the owner out or take everything (ASVS 7.5).
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, RECENT_SIGN_IN_REQUIRED
 */
export function authoriseRecent(ctx: Ctx, action: Action): SignedInUser {
  const user = authoriseUser(ctx.actor, action);
  requireRecent(ctx);
  return user;
}

/**
 * The same for changes of somebody else's account. At the terminal there is no session, so only the policy is asked.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, SECOND_FACTOR_SETUP_REQUIRED, RECENT_SIGN_IN_REQUIRED
 */
export function authoriseRecentOver(ctx: Ctx, action: Action, resource: Resource): void {
  authorise(ctx.actor, action, resource);
  requireRecent(ctx);
}
