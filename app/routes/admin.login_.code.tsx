import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { CodeForm } from '#app/features/accounts/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { ADMIN_SIGN_IN, openCodePage, submitCode } from '#app/features/accounts/sign-in-pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Enter your code – Vialbook Admin' }];

export const loader = forEveryone((page) => openCodePage(page, ADMIN_SIGN_IN));

export const action = forEveryone((page) => submitCode(page, ADMIN_SIGN_IN));

export { clientAction } from '#app/ui/connection/client-action.ts';

/** The second step of the admin sign-in. */
export default function AdminSignInCode() {
  const { hasPasskeys } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      <CodeForm lastResult={lastResult} hasPasskeys={hasPasskeys} startHref="/admin/login" />
    </PublicShell>
  );
}
