import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ResolveForm, TrackingPage } from '#app/features/tracking/index.ts';
import { resolveSchema } from '#app/domain/tracking/side-effect-schema.ts';
import { readEffect } from '#app/features/tracking/side-effects/side-effect-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { resolveSideEffect } from '#app/features/tracking/index.server.ts';

const pageOf = (id: string) => `/dashboard/tracking/side-effects/${id}`;

export const meta: MetaFunction = () => [{ title: 'Mark as resolved – Vialbook' }];

export const loader = forPremiumUsers(readEffect);

/** Without a date, it ends now. */
export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  return submit(request, resolveSchema, async (input) => {
    await resolveSideEffect(ctx, id, input);
    return done(pageOf(id), 'Side effect marked as resolved');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ResolveSideEffect() {
  const { effect, path, now } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <TrackingPage tab="side-effects" title={`Mark as resolved: ${effect.name}`}>
      <ResolveForm action={path} cancelHref={pageOf(effect.id)} resolvedDate={now} lastResult={lastResult} />
    </TrackingPage>
  );
}
