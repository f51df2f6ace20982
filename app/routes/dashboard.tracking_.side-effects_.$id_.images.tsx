import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { EffectView, TrackingPage } from '#app/features/tracking/index.ts';
import { readEffect } from '#app/features/tracking/side-effects/side-effect-pages.server.ts';
import { sentFile, submit, done } from '#app/platform/http/forms.server.ts';
import { imageFormSchema } from '#app/domain/forms/upload-schema.ts';
import { firstError } from '#app/ui/error-summary.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { addSideEffectImage } from '#app/features/tracking/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Side effect – Vialbook' }];

export const loader = forPremiumUsers(readEffect);

export const action = forPremiumUsers(({ request, ctx, params }) =>
  submit(request, imageFormSchema, async ({ image }) => {
    const id = params.id ?? '';
    await addSideEffectImage(ctx, id, (await sentFile(image)).bytes);
    return done(`/dashboard/tracking/side-effects/${id}`, 'Picture added');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Shows the side effect again, with the error for the picture. */
export default function AddPicture() {
  const { effect } = useLoaderData<typeof loader>();
  const error = firstError(useActionData<typeof action>()?.lastResult);
  return (
    <TrackingPage tab="side-effects" title={effect.name}>
      <EffectView effect={effect} error={error} />
    </TrackingPage>
  );
}
