import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { SiteChoiceForm, TrackingPage } from '#app/features/tracking/index.ts';
import { siteChoiceSchema } from '#app/domain/tracking/injection-site-schema.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { chooseSites, siteRotation } from '#app/features/tracking/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Your sites – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => {
  const { sites } = await siteRotation(ctx);
  return { on: sites.filter(({ isOn }) => isOn).map(({ site }) => site) };
});

export const action = forPremiumUsers(({ request, ctx }) =>
  submit(request, siteChoiceSchema, async (input) => {
    await chooseSites(ctx, input);
    return done('/dashboard/tracking', 'Sites saved');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function SiteChoice() {
  const { on } = useLoaderData<typeof loader>();
  // The error for an unknown site is at its index in the list, so any error is taken.
  const error = Object.values(useActionData<typeof action>()?.lastResult.error ?? {}).flat()[0] ?? undefined;
  return (
    <TrackingPage tab="sites" title="Your sites">
      <SiteChoiceForm on={error ? [] : on} error={error} />
    </TrackingPage>
  );
}
