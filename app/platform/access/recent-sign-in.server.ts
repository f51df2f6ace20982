import { isRecentSignIn } from '#app/domain/accounts/recent-sign-in.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import { confirmPasswordSchema, type ConfirmPasswordInput } from '#app/domain/accounts/profile-schema.ts';
import { authorise, authoriseUser, type Action, type Resource } from './authorise.server.ts';
import type { Ctx, SignedInUser } from './context.server.ts';
import { checkOwnPassword } from '#app/features/accounts/password-check.server.ts';
import { rotateSession, type StartedSession } from '#app/features/accounts/sessions.server.ts';

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

/**
 * Takes the password again. The session goes on under a new secret and counts as a recent sign-in.
 * @param token the session's present secret; it dies
 * @throws AppError INVALID_INPUT at the password, RATE_LIMITED, UNAUTHENTICATED
 */
export async function confirmPassword(
  ctx: Ctx,
  input: ConfirmPasswordInput,
  token: string,
): Promise<StartedSession> {
  const user = authoriseUser(ctx.actor, 'account.confirm-password');
  const { password } = parseInput(confirmPasswordSchema, input);
  await checkOwnPassword(ctx, user, password, 'password');
  ctx.log.info({ userId: user.id }, 'password confirmed');
  return rotateSession(ctx, token, { authenticatedAt: ctx.now() });
}
