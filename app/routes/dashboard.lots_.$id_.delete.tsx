import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { deleteLot, getLot } from '#app/features/lots/index.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { confirmationSchema } from '#app/domain/forms/fields.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { firstError } from '#app/ui/error-summary.tsx';
import { Notice } from '#app/ui/notice.tsx';

export const meta: MetaFunction = () => [{ title: 'Delete lot – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const { lot } = await getLot(ctx, params['id'] ?? '');
  return { id: lot.id, number: lot.number };
});

export const action = forUsers(({ request, ctx, params }) =>
  submit(request, confirmationSchema, async () => {
    await deleteLot(ctx, params['id'] ?? '');
    return done('/dashboard/lots', 'Lot deleted');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Confirms deleting a lot and its certificate. */
export default function DeleteLot() {
  const { id, number } = useLoaderData<typeof loader>();
  const problem = firstError(useActionData<typeof action>()?.lastResult);
  const path = `/dashboard/lots/${id}`;
  return (
    <Confirmation title={`Delete lot ${number}?`} action={`${path}/delete`} yes="Delete" noHref={path}>
      {problem ? <Notice tone="warning">{problem}</Notice> : null}
      <p>
        Its certificate and documents will be deleted too, and you can no longer find the doses that came from
        its deleted vials. This cannot be undone.
      </p>
    </Confirmation>
  );
}
