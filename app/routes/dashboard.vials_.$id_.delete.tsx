import { VIAL_MESSAGES } from '#app/domain/vials/vial-fields.ts';
import { orFailed } from '#app/platform/http/failed-call.server.ts';
import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { plural } from '#app/domain/text/plural.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { deleteVial, getVial } from '#app/features/vials/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Delete vial – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const vial = await getVial(ctx, params['id'] ?? '');
  return { id: vial.id, name: vial.name, entries: vial.ledger.length + vial.foldedCount };
});

export const action = forUsers(async ({ ctx, params }) => {
  await orFailed(ctx, VIAL_MESSAGES.failedToDelete, () => deleteVial(ctx, params['id'] ?? ''));
  throw await done('/dashboard/vials', 'Vial deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Confirms deleting a vial and its ledger. */
export default function DeleteVial() {
  const { id, name, entries } = useLoaderData<typeof loader>();
  const path = `/dashboard/vials/${id}`;
  return (
    <Confirmation title={`Delete this vial of ${name}?`} action={`${path}/delete`} yes="Delete" noHref={path}>
      <p>
        {entries === 0
          ? 'This cannot be undone.'
          : `Its ledger (${plural(entries, 'entry', 'entries')}) will be deleted too. Doses drawn from it are kept. To keep the record, discard the vial instead. This cannot be undone.`}
      </p>
    </Confirmation>
  );
}
