import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { EffectView } from '#app/components/tracking/effects/effect-view.tsx';
import { TrackingPage } from '#app/components/tracking/tracking-page.tsx';
import { done } from '#app/http/done.server.ts';
import { readEffect } from '#app/http/effect-page.server.ts';
import { submitFile } from '#app/http/file-form.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { addSideEffectImage } from '#app/services/side-effect-images.server.ts';

export const meta: MetaFunction = () => [{ title: 'Side effect – Vialbook' }];

export const loader = forPremiumUsers(readEffect);

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  const refused = await submitFile(request, 'image', ({ bytes }) => addSideEffectImage(ctx, id, bytes));
  if (refused !== null) return refused;
  throw await done(`/dashboard/tracking/side-effects/${id}`, 'Picture added');
});

/** The side effect again, with what was wrong with the picture. */
export default function AddPicture() {
  const { effect } = useLoaderData<typeof loader>();
  const error = useActionData<typeof action>()?.error;
  return (
    <TrackingPage tab="side-effects" title={effect.name}>
      <EffectView effect={effect} error={error} />
    </TrackingPage>
  );
}
