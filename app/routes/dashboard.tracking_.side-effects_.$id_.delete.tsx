import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ConfirmDelete } from '#app/components/tracking/confirm-delete.tsx';
import { done } from '#app/http/done.server.ts';
import { readEffect } from '#app/http/effect-page.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { deleteSideEffect } from '#app/services/side-effects.server.ts';

const LIST = '/dashboard/tracking/side-effects';

export const meta: MetaFunction = () => [{ title: 'Delete side effect – Vialbook' }];

export const loader = forPremiumUsers(readEffect);

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteSideEffect(ctx, params.id ?? '');
  throw await done(LIST, 'Side effect deleted');
});

/** The step before a side effect goes. */
export default function DeleteSideEffect() {
  const { effect, path } = useLoaderData<typeof loader>();
  return (
    <ConfirmDelete question={`Delete ${effect.name}?`} action={path} cancelHref={`${LIST}/${effect.id}`}>
      <p>{effect.facts.map(({ label, value }) => `${label}: ${value}`).join(' · ')}</p>
      <p>Its pictures go with it. Deleting cannot be undone.</p>
    </ConfirmDelete>
  );
}
