import type { SubmissionResult } from '@conform-to/react';
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from '@remix-run/react';
import { isFirstAttempt, isUnreachable, LeaveProvider, LoginForm } from '#app/features/accounts/index.ts';
import { answerOf, NoAnswerError } from '#app/ui/connection/no-answer.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { publicMeta } from '#app/ui/public-meta.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { ACCOUNT_MESSAGES } from '#app/domain/accounts/account-schema.ts';
import { forEveryone, forVisitors } from '#app/platform/http/route-handlers.server.ts';
import { readRememberedEmail } from '#app/platform/http/session.server.ts';
import { safeRedirect } from '#app/platform/http/addresses.ts';
import { NETWORK_TEXTS } from '#app/domain/messages.ts';
import { findLeftProvider } from '#app/features/accounts/provider-pages.server.ts';
import { signedOutNotice, submitLogin } from '#app/features/accounts/sign-in-pages.server.ts';

const LOGIN_PATH = '/login';

const SERVER_STARTING =
  'Server is starting up. Please wait a moment and try again. This only happens on the first login of the day.';

export const meta = publicMeta(
  '/login',
  'Sign in – Vialbook',
  'Sign in to your vials, schedules, doses and saved calculations.',
);

/**
 * Why the user has to sign in again. If this page itself sent them on to a page for signed-in users and they are back, the
 * password was right but their browser did not keep the session cookie.
 */
async function noticeOf(url: URL, request: Request): Promise<string | null> {
  if (url.searchParams.get('notice') === 'suspended') return ACCOUNT_MESSAGES.suspended;
  const signedOut = await signedOutNotice(request, url.searchParams.get('redirectTo'));
  if (signedOut !== null) return signedOut;
  const referrer = request.headers.get('Referer') ?? '';
  const isFromHere = URL.canParse(referrer) && new URL(referrer).pathname === LOGIN_PATH;
  return isFromHere && url.searchParams.has('redirectTo') ? ACCOUNT_MESSAGES.noCookies : null;
}

export const loader = forVisitors(async (page) => {
  const { url, request } = page;
  const target = url.searchParams.get('redirectTo');
  return {
    redirectTo: target === null ? null : safeRedirect(target),
    notice: await noticeOf(url, request),
    email: await readRememberedEmail(request),
    left: await findLeftProvider(page),
  };
});

/** Also works for signed-in users, for another account or for a new session of the same one. The old session ends. */
export const action = forEveryone(submitLogin);

/** With scripts: when no server answers, the form stays and says so. On the first attempt it says that the server is starting. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const isFirst = isFirstAttempt();
  try {
    return await answerOf(request, () => serverAction<typeof action>());
  } catch (thrown) {
    if (!isUnreachable(thrown)) throw thrown;
    const reason = thrown instanceof NoAnswerError ? thrown.message : NETWORK_TEXTS.message;
    const message = isFirst ? SERVER_STARTING : reason;
    const lastResult: SubmissionResult = { status: 'error', error: { '': [message] } };
    // The status keeps Remix from reloading the page's data, which would fail as well.
    return Response.json({ lastResult }, { status: 503 });
  }
}

export default function Login() {
  const { redirectTo, notice, email, left } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      {notice ? (
        <Notice tone="warning" role="alert">
          {notice}
        </Notice>
      ) : null}
      {left ? (
        <Notice tone="info">
          <LeaveProvider provider={left} />
        </Notice>
      ) : null}
      <LoginForm
        lastResult={lastResult}
        redirectTo={redirectTo ?? undefined}
        rememberedEmail={email ?? undefined}
        forgotHref="/forgot-password"
      />
    </PublicShell>
  );
}
