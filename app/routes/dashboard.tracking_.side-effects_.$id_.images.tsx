import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { EffectView, TrackingPage } from '#app/features/tracking/index.ts';
import { readEffect } from '#app/features/tracking/side-effects/side-effect-pages.server.ts';
import { submitFile, done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { addSideEffectImage } from '#app/features/tracking/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Side effect – Vialbook' }];

export const loader = forPremiumUsers(readEffect);

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  const refused = await submitFile(request, 'image', ({ bytes }) => addSideEffectImage(ctx, id, bytes));
  if (refused !== null) return refused;
  throw await done(`/dashboard/tracking/side-effects/${id}`, 'Picture added');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Shows the side effect again, with the error for the picture. */
export default function AddPicture() {
  const { effect } = useLoaderData<typeof loader>();
  const error = useActionData<typeof action>()?.error;
  return (
    <TrackingPage tab="side-effects" title={effect.name}>
      <EffectView effect={effect} error={error} />
    </TrackingPage>
  );
}
