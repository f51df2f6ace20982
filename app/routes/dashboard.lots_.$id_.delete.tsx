import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { deleteLot, getLot } from '#app/features/lots/index.server.ts';
import { refusalOf, done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { Notice } from '#app/ui/notice.tsx';

export const meta: MetaFunction = () => [{ title: 'Delete lot – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const { lot } = await getLot(ctx, params['id'] ?? '');
  return { id: lot.id, number: lot.number };
});

export const action = forUsers(async ({ ctx, params }) => {
  try {
    await deleteLot(ctx, params['id'] ?? '');
  } catch (error) {
    const { message, status, headers } = refusalOf(error);
    return data({ message }, { status, headers });
  }
  throw await done('/dashboard/lots', 'Lot deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Confirms deleting a lot and its certificate. */
export default function DeleteLot() {
  const { id, number } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const path = `/dashboard/lots/${id}`;
  return (
    <Confirmation title={`Delete lot ${number}?`} action={`${path}/delete`} yes="Delete" noHref={path}>
      {refused ? <Notice tone="warning">{refused.message}</Notice> : null}
      <p>
        Its certificate and documents will be deleted too, and you can no longer find the doses that came from
        its deleted vials. This cannot be undone.
      </p>
    </Confirmation>
  );
}
