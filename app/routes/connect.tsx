import { data, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { consentSchema, offersConnections } from '#app/domain/accounts/connection.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { AppError, isAppError } from '#app/domain/errors.ts';
import { ConnectPage, LeaveForProgram, NoSuchProgram } from '#app/features/accounts/index.ts';
import { answerConnectionRequest, readConnectionRequest } from '#app/features/accounts/index.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { currentApp } from '#app/platform/http/session.server.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';

export const meta: MetaFunction = () => [
  { title: 'Connect a program – Vialbook' },
  { name: 'robots', content: 'noindex, nofollow' },
];

function requireOffer(): void {
  if (!offersConnections(currentApp().settings.APP_URL))
    throw new AppError('NOT_FOUND', 'There is no such page.');
}

/** Leaves for the program: by a header, because browsers apply `form-action` to redirects, too. */
const leave = (address: string) =>
  data({ leaveTo: address }, { headers: { Refresh: `0;url=${address}`, 'Referrer-Policy': 'no-referrer' } });

/** Where a program sends its user to ask for a connection. */
export const loader = forUsers(async ({ ctx, user, url }) => {
  requireOffer();
  try {
    const request = await readConnectionRequest(ctx, url.searchParams);
    if ('leaveTo' in request) return leave(request.leaveTo);
    return data({ request, email: user.email });
  } catch (error) {
    if (!isAppError(error) || error.code !== 'INVALID_INPUT') throw error;
    return data({ message: error.message }, { status: 400 });
  }
});

export const action = forUsers(({ request, ctx, url }) => {
  requireOffer();
  return submit(request, consentSchema, async (input) =>
    leave(await answerConnectionRequest(ctx, url.searchParams, input)),
  );
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export const headers: HeadersFunction = ({ actionHeaders, loaderHeaders }) => {
  const sent = new Headers();
  const from = actionHeaders.has('Refresh') ? actionHeaders : loaderHeaders;
  for (const name of ['Refresh', 'Referrer-Policy']) if (from.has(name)) sent.set(name, from.get(name) ?? '');
  return sent;
};

export default function Connect() {
  const loaded = useLoaderData<typeof loader>();
  const answered = useActionData<typeof action>();
  const leaving =
    answered && 'leaveTo' in answered ? answered.leaveTo : 'leaveTo' in loaded ? loaded.leaveTo : null;
  const problem = answered && 'lastResult' in answered ? 'Choose one of the answers.' : null;
  return (
    <PublicShell notice={RESEARCH_NOTICE} signedIn>
      {leaving !== null ? (
        <LeaveForProgram address={leaving} />
      ) : 'request' in loaded ? (
        <ConnectPage {...loaded.request} email={loaded.email} problem={problem} />
      ) : (
        <NoSuchProgram message={'message' in loaded ? loaded.message : ''} />
      )}
    </PublicShell>
  );
}
