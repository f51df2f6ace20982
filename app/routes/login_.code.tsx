import { redirect, type MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { CodeForm } from '#app/components/auth/index.ts';
import { PublicShell } from '#app/components/shell/index.ts';
import { RESEARCH_NOTICE } from '#app/domain/reference/index.ts';
import { codeSchema, SECOND_FACTOR_MESSAGES } from '#app/domain/schemas/second-factor.ts';
import { flash } from '#app/http/flash.server.ts';
import { orWhenNotFound } from '#app/http/not-found.server.ts';
import { forEveryone } from '#app/http/page.server.ts';
import { challengeCookie, readChallengeCookie, readSessionToken } from '#app/http/session.server.ts';
import { enter } from '#app/http/sign-in-reply.server.ts';
import { formAgain, submitForm } from '#app/http/submit-form.server.ts';
import { checkChallenge, completeSignIn } from '#app/services/sign-in-steps.server.ts';

export const meta: MetaFunction = () => [{ title: 'Enter your code – Vialbook' }];

/** Whoever took too long, or never gave a password, begins with the password. */
async function startAgain(): Promise<never> {
  const headers = new Headers({ 'Set-Cookie': await challengeCookie(null) });
  headers.append('Set-Cookie', await flash('warning', SECOND_FACTOR_MESSAGES.again));
  throw redirect('/login', { headers });
}

/** For who is signed in, too: they may be signing in to another account. */
export const loader = forEveryone(({ request, ctx }) =>
  orWhenNotFound(async () => {
    await checkChallenge(ctx, await readChallengeCookie(request));
    return null;
  }, startAgain),
);

export const action = forEveryone(({ request, ctx, url }) =>
  orWhenNotFound(async () => {
    const challenge = await readChallengeCookie(request);
    const current = await readSessionToken(request);
    await checkChallenge(ctx, challenge);
    const submitted = await submitForm(request, codeSchema, (input) =>
      completeSignIn(ctx, challenge, input, current),
    );
    if (!submitted.ok) return formAgain(submitted);
    const answer = await enter(submitted.value, url.searchParams.get('redirectTo'));
    answer.headers.append('Set-Cookie', await challengeCookie(null));
    throw answer;
  }, startAgain),
);

export default function SignInCode() {
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      <CodeForm lastResult={lastResult} />
    </PublicShell>
  );
}
