import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData, type ShouldRevalidateFunction } from '@remix-run/react';
import { ChangeForm } from '#app/features/admin/index.ts';
import { userChangeFormSchema } from '#app/domain/admin/admin-schema.ts';
import { isChangeOnPage, type UserChange } from '#app/domain/admin/user-changes.ts';
import { AppError } from '#app/domain/errors.ts';
import {
  listQueryOf,
  submitUserChange,
  userRow,
  userSessionRow,
} from '#app/features/admin/users/user-pages.server.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { NO_ANSWER } from '#app/ui/connection/client-action.ts';
import { openUserChange } from '#app/features/admin/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Change a user – Vialbook Admin' }];

function changeOf(name: string | undefined): UserChange {
  if (isChangeOnPage(name)) return name;
  throw new AppError('NOT_FOUND', 'There is no such page.');
}

const sessionOf = (url: URL) => url.searchParams.get('session');

export const loader = forAdmins(async ({ ctx, params, user, url }) => {
  const change = changeOf(params.change);
  const { revision, session, ...subject } = await openUserChange(
    ctx,
    change,
    params.id ?? '',
    sessionOf(url),
  );
  return {
    change,
    revision,
    subject: userRow(subject, user.timeZone),
    session: session && userSessionRow(session, user.timeZone),
    list: listQueryOf(url),
  };
});

export const action = forAdmins(({ ctx, params, request, url }) => {
  const change = changeOf(params.change);
  const id = params.id ?? '';
  return submit(request, userChangeFormSchema, async (form) => {
    const message = await submitUserChange(ctx, change, id, sessionOf(url), form);
    const list = listQueryOf(url);
    const isGone = change === 'delete';
    const back = isGone
      ? `/admin/dashboard/users${list && `?${list}`}`
      : pageAddress(`/admin/dashboard/users/${id}`, new URLSearchParams(), { list: list || null });
    return done(back, message);
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Also after an error, so that the form continues from the current account. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus }) => actionStatus !== NO_ANSWER;

export default function ChangeUser() {
  const { change, revision, subject, session, list } = useLoaderData<typeof loader>();
  const refused = sentForm(useActionData<typeof action>()?.lastResult);
  return (
    <ChangeForm
      change={change}
      user={subject}
      revision={revision}
      session={session}
      list={list}
      refused={refused}
    />
  );
}
