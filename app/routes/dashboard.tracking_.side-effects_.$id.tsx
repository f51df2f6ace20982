import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { EffectView } from '#app/components/tracking/effects/effect-view.tsx';
import { TrackingPage } from '#app/components/tracking/tracking-page.tsx';
import { LinkButton } from '#app/components/ui/button.tsx';
import { readEffect } from '#app/http/effect-page.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';

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
