import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { EffectView, TrackingPage } from '#app/features/tracking/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { readEffect } from '#app/features/tracking/side-effects/side-effect-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Side effect – Vialbook' }];

export const loader = forPremiumUsers(readEffect);

export default function SideEffectPage() {
  const { effect } = useLoaderData<typeof loader>();
  return (
    <TrackingPage
      tab="side-effects"
      title={effect.name}
      actions={
        <LinkButton to="/dashboard/tracking/side-effects" variant="plain">
          All side effects
        </LinkButton>
      }
    >
      <EffectView effect={effect} />
    </TrackingPage>
  );
}
