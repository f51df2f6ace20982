import { redirect } from '@remix-run/node';
import { codeSchema, SECOND_FACTOR_MESSAGES } from '#app/domain/accounts/second-factor-schema.ts';
import { checkChallenge, completeSignIn } from './sign-in-steps.server.ts';
import { flash } from '#app/platform/http/toast.server.ts';
import { orWhenNotFound, type PageArgs } from '#app/platform/http/route-handlers.server.ts';
import { challengeCookie, readChallengeCookie, readSessionToken } from '#app/platform/http/session.server.ts';
import { enter, type Door } from './sign-in-pages.server.ts';
import { formAgain, submitForm } from '#app/platform/http/forms.server.ts';

/** Whoever took too long, or never gave a password, begins with the password. */
async function startAgain(door: Door): Promise<never> {
  const headers = new Headers({ 'Set-Cookie': await challengeCookie(null) });
  headers.append('Set-Cookie', await flash('warning', SECOND_FACTOR_MESSAGES.again));
  throw redirect(door.login, { headers });
}

/** Opens the page that asks for the code; also for who is signed in: they may be signing in to another account. */
export async function openCodeStep({ request, ctx }: PageArgs, door: Door): Promise<null> {
  return await orWhenNotFound(
    async () => {
      await checkChallenge(ctx, await readChallengeCookie(request));
      return null;
    },
    () => startAgain(door),
  );
}

/** Takes the code: on to the page that was asked for, or the form again. */
export function takeCode({ request, ctx, url }: PageArgs, door: Door) {
  return orWhenNotFound(
    async () => {
      const challenge = await readChallengeCookie(request);
      const current = await readSessionToken(request);
      await checkChallenge(ctx, challenge);
      const submitted = await submitForm(request, codeSchema, (input) =>
        completeSignIn(ctx, challenge, input, current),
      );
      if (!submitted.ok) return formAgain(submitted);
      const answer = await enter({ request, ctx }, submitted.value, url.searchParams.get('redirectTo'), door);
      answer.headers.append('Set-Cookie', await challengeCookie(null));
      throw answer;
    },
    () => startAgain(door),
  );
}
