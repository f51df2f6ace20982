import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { EffectForm } from '#app/components/tracking/effects/effect-form.tsx';
import { TemplateLinks } from '#app/components/tracking/effects/template-links.tsx';
import { TrackingPage } from '#app/components/tracking/tracking-page.tsx';
import { sideEffectSchema } from '#app/domain/schemas/side-effect.ts';
import { done } from '#app/http/done.server.ts';
import { readNewEffect } from '#app/http/effect-page.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { formAgain, submitForm } from '#app/http/submit-form.server.ts';
import { addSideEffect } from '#app/services/side-effects.server.ts';

const BACK = '/dashboard/tracking/side-effects';

export const meta: MetaFunction = () => [{ title: 'Note a side effect – Vialbook' }];

export const loader = forPremiumUsers(readNewEffect);

export const action = forPremiumUsers(async ({ request, ctx }) => {
  const submitted = await submitForm(request, sideEffectSchema, (input) => addSideEffect(ctx, input));
  if (!submitted.ok) return formAgain(submitted);
  throw await done(`${BACK}/${submitted.value.id}`, 'Side effect noted');
});

export default function NewSideEffect() {
  const { templates, ...form } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <TrackingPage tab="side-effects" title="Note a side effect">
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
