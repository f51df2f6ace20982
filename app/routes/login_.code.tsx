import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { CodeForm } from '#app/features/accounts/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { openCodePage, submitCode, USER_SIGN_IN } from '#app/features/accounts/sign-in-pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Enter your code – Vialbook' }];

export const loader = forEveryone((page) => openCodePage(page, USER_SIGN_IN));

export const action = forEveryone((page) => submitCode(page, USER_SIGN_IN));

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function SignInCode() {
  const { hasPasskeys } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      <CodeForm lastResult={lastResult} hasPasskeys={hasPasskeys} />
    </PublicShell>
  );
}
