import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ProfileSubPage, SyringeForm } from '#app/features/accounts/index.ts';
import { getSyringe, saveSyringe } from '#app/features/accounts/index.server.ts';
import { OWN_SYRINGE_MESSAGES, ownSyringeSchema } from '#app/domain/calculator/own-syringe.ts';
import { done, submit } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Your syringe – Vialbook' }];

/** The address has `new` in place of an id for a syringe that is added. */
const idOf = (id = ''): string | null => (id === 'new' ? null : id);

export const loader = forUsers(async ({ ctx, params, url }) => {
  const id = idOf(params.id);
  return { own: id === null ? null : await getSyringe(ctx, id), action: url.pathname };
});

export const action = forUsers(async ({ request, ctx, params }) => {
  const id = idOf(params.id);
  // Somebody else's is not found, whatever is sent.
  if (id !== null) await getSyringe(ctx, id);
  return submit(request, ownSyringeSchema, async (input) => {
    await saveSyringe(ctx, id, input);
    return done('/dashboard/profile/units', OWN_SYRINGE_MESSAGES.saved);
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function OwnSyringe() {
  const { own, action: at } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <ProfileSubPage title={own?.name ?? 'Add a syringe'} above="units">
      <SyringeForm key={JSON.stringify(own)} own={own} action={at} lastResult={lastResult} />
    </ProfileSubPage>
  );
}
