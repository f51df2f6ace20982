import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { lotDetailsOf, lotFormSchema } from '#app/domain/lots/lot-schema.ts';
import { LotForm, LotSubPage } from '#app/features/lots/index.ts';
import { getLot, updateLot } from '#app/features/lots/index.server.ts';
import { lotValues, suppliersForLots } from '#app/features/lots/pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Edit lot – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const found = await getLot(ctx, params['id'] ?? '');
  return { id: found.lot.id, values: lotValues(found), suppliers: await suppliersForLots(ctx, found.lot) };
});

export const action = forUsers(async ({ request, ctx, params }) => {
  const { lot } = await getLot(ctx, params['id'] ?? '');
  return submit(request, lotFormSchema, async ({ idempotencyKey: _key, ...input }) => {
    // The form shows all fields: an empty one clears its value.
    await updateLot(ctx, lot.id, { ...input, ...lotDetailsOf(input) });
    return done(`/dashboard/lots/${lot.id}`, 'Lot saved');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EditLot() {
  const { id, values, suppliers } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  const path = `/dashboard/lots/${id}`;
  return (
    <LotSubPage title="Edit lot" backHref={path} backText="Back to the lot">
      <LotForm
        action={`${path}/edit`}
        cancelHref={path}
        values={values}
        suppliers={suppliers}
        submitLabel="Save changes"
        lastResult={lastResult}
      />
    </LotSubPage>
  );
}
