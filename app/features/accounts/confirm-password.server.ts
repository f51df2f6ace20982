import { parseInput } from '#app/domain/forms/parse-input.ts';
import { confirmPasswordSchema, type ConfirmPasswordInput } from '#app/domain/accounts/profile-schema.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { checkOwnPassword } from './password-check.server.ts';
import { rotateSession, type StartedSession } from './sessions.server.ts';

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
