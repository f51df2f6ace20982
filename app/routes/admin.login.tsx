import type { SubmissionResult } from '@conform-to/react';
import { data, redirect, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from '@remix-run/react';
import { answerOf } from '#app/ui/connection/no-answer.ts';
import { AdminLoginForm, isUnreachable } from '#app/features/accounts/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { ACCESS_MESSAGES } from '#app/domain/messages.ts';
import { isAdminRole } from '#app/domain/accounts/account.ts';
import { isAppError } from '#app/domain/errors.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { safeRedirect } from '#app/platform/http/addresses.ts';
import {
  ADMIN_SIGN_IN,
  signedOutNotice,
  submitAdminLogin,
} from '#app/features/accounts/sign-in-pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Admin sign-in – Vialbook' }];

const failed: SubmissionResult<string[]> = {
  status: 'error',
  error: { '': ['Login failed. Please try again.'] },
};

/** Explains why the visitor was sent here from the admin area, or lacks the role for it. */
export const loader = forEveryone(async ({ request, ctx, url }) => {
  const { actor } = ctx;
  const target = url.searchParams.get('redirectTo');
  if (actor.kind === 'user' && isAdminRole(actor.role))
    throw redirect(safeRedirect(target, ADMIN_SIGN_IN.home));
  return {
    redirectTo: target === null ? null : safeRedirect(target, ADMIN_SIGN_IN.home),
    signedOut: await signedOutNotice(request, target),
    isDenied: target !== null || actor.kind === 'user',
  };
});

export const action = forEveryone(async (page) => {
  try {
    return await submitAdminLogin(page);
  } catch (error) {
    if (error instanceof Response) throw error;
    if (isAppError(error) && error.code !== 'DATABASE_UNAVAILABLE') throw error;
    if (!isAppError(error)) page.ctx.log.error({ err: error }, 'an administrator could not sign in');
    return data({ lastResult: failed }, { status: isAppError(error) ? 503 : 500 });
  }
});

/** With scripts: if the server does not answer, the form stays and says so. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  try {
    return await answerOf(request, () => serverAction<typeof action>());
  } catch (thrown) {
    if (!isUnreachable(thrown)) throw thrown;
    return Response.json({ lastResult: failed }, { status: 503 });
  }
}

export default function AdminLogin() {
  const { redirectTo, signedOut, isDenied } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      {signedOut ? (
        <Notice tone="warning" role="alert">
          {signedOut}
        </Notice>
      ) : isDenied && !lastResult ? (
        <Notice tone="error" role="alert">
          {ACCESS_MESSAGES.adminsOnly}
        </Notice>
      ) : null}
      <AdminLoginForm lastResult={lastResult} redirectTo={redirectTo ?? undefined} />
    </PublicShell>
  );
}
