// The same frame for pages of an account whose addresses are outside `/dashboard`.
import { Outlet, useLoaderData, useRouteError, useRouteLoaderData } from '@remix-run/react';
import { AccountErrorPage, AccountFrame } from '#app/features/site/index.ts';
import { readAccountFrame } from '#app/features/site/pages.server.ts';
import { thrownMessage } from '#app/ui/errors/error-pages.tsx';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const loader = forUsers(readAccountFrame);

export default function Account() {
  return (
    <AccountFrame data={useLoaderData<typeof loader>()}>
      <Outlet />
    </AccountFrame>
  );
}

export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>('routes/_account');
  return <AccountErrorPage data={data} message={thrownMessage(useRouteError())} />;
}
