import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { FinishForm } from '#app/features/accounts/index.ts';
import { openFinishPage } from '#app/features/accounts/sign-in-pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { PageTitle } from '#app/ui/page-head.tsx';

export const meta: MetaFunction = () => [{ title: 'Finish saving – Vialbook' }];

export const loader = forUsers(openFinishPage);

/** Where somebody comes back to whose session ended while they filled in a form. */
export default function Finish() {
  const form = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle>Finish saving</PageTitle>
      <FinishForm {...form} />
    </>
  );
}
