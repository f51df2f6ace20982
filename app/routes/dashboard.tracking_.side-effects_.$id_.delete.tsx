import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/forms.server.ts';
import { readEffect } from '#app/features/tracking/side-effects/side-effect-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { deleteSideEffect } from '#app/features/tracking/index.server.ts';

const LIST = '/dashboard/tracking/side-effects';

export const meta: MetaFunction = () => [{ title: 'Delete side effect – Vialbook' }];

export const loader = forPremiumUsers(readEffect);

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteSideEffect(ctx, params.id ?? '');
  throw await done(LIST, 'Side effect deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Asks before deleting a side effect. */
export default function DeleteSideEffect() {
  const { effect, path } = useLoaderData<typeof loader>();
  return (
    <Confirmation title={`Delete ${effect.name}?`} action={path} yes="Delete" noHref={`${LIST}/${effect.id}`}>
      <p>{effect.facts.map(({ label, value }) => `${label}: ${value}`).join(' · ')}</p>
      <p>Its pictures will be deleted too. Deleting cannot be undone.</p>
    </Confirmation>
  );
}
