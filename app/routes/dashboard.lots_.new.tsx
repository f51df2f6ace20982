import { randomUUID } from 'node:crypto';
import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { lotFormSchema } from '#app/domain/lots/lot-schema.ts';
import { LotForm, LotSubPage } from '#app/features/lots/index.ts';
import { addLot } from '#app/features/lots/index.server.ts';
import { suppliersForLots } from '#app/features/lots/pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Add lot – Vialbook' }];

export const loader = forUsers(async ({ ctx }) => ({
  suppliers: await suppliersForLots(ctx),
  idempotencyKey: randomUUID(),
}));

export const action = forUsers(({ request, ctx }) =>
  submit(request, lotFormSchema, async ({ idempotencyKey, ...input }) => {
    const { lot } = await addLot(ctx, input, idempotencyKey);
    return done(`/dashboard/lots/${lot.id}`, 'Lot added');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewLot() {
  const { suppliers, idempotencyKey } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <LotSubPage title="Add lot" backHref="/dashboard/lots" backText="Back to lots">
      <LotForm
        action="/dashboard/lots/new"
        cancelHref="/dashboard/lots"
        values={{}}
        suppliers={suppliers}
        idempotencyKey={idempotencyKey}
        submitLabel="Add lot"
        lastResult={lastResult}
      />
    </LotSubPage>
  );
}
