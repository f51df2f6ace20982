import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { EffectForm, TrackingPage } from '#app/features/tracking/index.ts';
import { effectDetailsOf, sideEffectSchema } from '#app/domain/tracking/side-effect-schema.ts';
import { readEffectForm } from '#app/features/tracking/side-effects/side-effect-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { updateSideEffect } from '#app/features/tracking/index.server.ts';

const pageOf = (id: string) => `/dashboard/tracking/side-effects/${id}`;

export const meta: MetaFunction = () => [{ title: 'Edit side effect – Vialbook' }];

export const loader = forPremiumUsers(readEffectForm);

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  return submit(request, sideEffectSchema, async ({ saveKey: _, resolvedDate = null, ...input }) => {
    // The form shows all fields: an empty one clears its value.
    await updateSideEffect(ctx, id, { ...input, resolvedDate, ...effectDetailsOf(input) });
    return done(pageOf(id), 'Side effect saved');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EditSideEffect() {
  const { id, path, ...form } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <TrackingPage tab="side-effects" title="Edit side effect">
      <EffectForm action={path} label="Save" cancelHref={pageOf(id)} {...form} lastResult={lastResult} />
    </TrackingPage>
  );
}
