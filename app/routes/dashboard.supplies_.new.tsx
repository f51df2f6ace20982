import { randomUUID } from 'node:crypto';
import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { supplyFormSchema } from '#app/domain/supplies/supply-schema.ts';
import { SupplyForm } from '#app/features/supplies/index.ts';
import { addSupply } from '#app/features/supplies/index.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { PageTitle } from '#app/ui/page-head.tsx';

export const meta: MetaFunction = () => [{ title: 'Add supply – Vialbook' }];

export const loader = forUsers(() => Promise.resolve({ idempotencyKey: randomUUID() }));

export const action = forUsers(({ request, ctx }) =>
  submit(request, supplyFormSchema, async ({ idempotencyKey, ...input }) => {
    await addSupply(ctx, input, idempotencyKey);
    return done('/dashboard/supplies', 'Supply added');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewSupply() {
  const { idempotencyKey } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <>
      <PageTitle>Add supply</PageTitle>
      <SupplyForm idempotencyKey={idempotencyKey} lastResult={lastResult} />
    </>
  );
}
