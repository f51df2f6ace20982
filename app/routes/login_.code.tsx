import type { MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { CodeForm } from '#app/features/accounts/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { openCodeStep, takeCode } from '#app/features/accounts/index.server.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { USER_DOOR } from '#app/features/accounts/sign-in-pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Enter your code – Vialbook' }];

export const loader = forEveryone((page) => openCodeStep(page, USER_DOOR));

export const action = forEveryone((page) => takeCode(page, USER_DOOR));

export default function SignInCode() {
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      <CodeForm lastResult={lastResult} />
    </PublicShell>
  );
}
