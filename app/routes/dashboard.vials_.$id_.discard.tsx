import { VIAL_MESSAGES } from '#app/domain/vials/vial-fields.ts';
import { orFailed } from '#app/platform/http/failed-call.server.ts';
import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { DiscardForm } from '#app/features/vials/index.ts';
import { measureOf } from '#app/domain/vials/vial.ts';
import { remainingOf } from '#app/domain/vials/vial-texts.ts';
import { discardSchema } from '#app/domain/vials/vial-schema.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { discardVial, getVial } from '#app/features/vials/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Discard vial – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const vial = await getVial(ctx, params['id'] ?? '');
  return { id: vial.id, name: vial.name, left: `${remainingOf(vial).left} ${measureOf(vial)}` };
});

export const action = forUsers(async ({ request, ctx, params }) => {
  const { id } = await getVial(ctx, params['id'] ?? '');
  return orFailed(ctx, VIAL_MESSAGES.failedToUpdate, () =>
    submit(request, discardSchema, async (input) => {
      await discardVial(ctx, id, input);
      return done('/dashboard/vials', 'Vial discarded');
    }),
  );
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Discard() {
  const { id, name, left } = useLoaderData<typeof loader>();
  const error = useActionData<typeof action>()?.lastResult.error?.['reason']?.[0];
  const path = `/dashboard/vials/${id}`;
  return <DiscardForm name={name} left={left} action={`${path}/discard`} cancelHref={path} error={error} />;
}
