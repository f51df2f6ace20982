import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { LeaveForProvider, NothingUnderWay, ProviderRegistration } from '#app/features/accounts/index.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { openProviderPage, submitProvider } from '#app/features/accounts/provider-pages.server.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: 'Sign in – Vialbook' },
  ...(data?.address ? [{ httpEquiv: 'refresh', content: `0;url=${data.address}` }] : []),
];

/** Also where the provider sends the browser back to. */
export const loader = forEveryone(openProviderPage);

export const action = forEveryone(submitProvider);
export { clientAction } from '#app/ui/connection/client-action.ts';

export default function SignInWithProvider() {
  const { provider, address, registration } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  const { name } = provider;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      {address !== null ? (
        <LeaveForProvider name={name} address={address} />
      ) : registration !== null ? (
        <ProviderRegistration name={name} registration={registration} lastResult={lastResult} />
      ) : (
        <NothingUnderWay name={name} />
      )}
    </PublicShell>
  );
}
