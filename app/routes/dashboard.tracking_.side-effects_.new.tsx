import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { EffectForm, TemplateLinks, TrackingPage } from '#app/features/tracking/index.ts';
import { sideEffectSchema } from '#app/domain/tracking/side-effect-schema.ts';
import { readNewEffect } from '#app/features/tracking/side-effects/side-effect-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { addSideEffect } from '#app/features/tracking/index.server.ts';

const BACK = '/dashboard/tracking/side-effects';

export const meta: MetaFunction = () => [{ title: 'Log a side effect – Vialbook' }];

export const loader = forPremiumUsers(readNewEffect);

export const action = forPremiumUsers(({ request, ctx }) =>
  submit(request, sideEffectSchema, async (input) => {
    const { id } = await addSideEffect(ctx, input);
    return done(`${BACK}/${id}`, 'Side effect logged');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewSideEffect() {
  const { templates, ...form } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <TrackingPage tab="side-effects" title="Log a side effect">
      <TemplateLinks names={templates} chosen={form.values.name} />
      <EffectForm
        key={form.values.name}
        action={`${BACK}/new`}
        label="Save"
        cancelHref={BACK}
        {...form}
        lastResult={lastResult}
      />
    </TrackingPage>
  );
}
