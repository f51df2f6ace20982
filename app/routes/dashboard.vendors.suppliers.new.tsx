import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { SupplierForm, VendorStep } from '#app/features/vendors/index.ts';
import { supplierFormSchema } from '#app/domain/vendors/vendor-schema.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { addSupplier, listSuppliers } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Add a supplier – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => {
  await listSuppliers(ctx);
  return { idempotencyKey: crypto.randomUUID() };
});

export const action = forPremiumUsers(({ request, ctx }) =>
  submit(request, supplierFormSchema, async ({ idempotencyKey, ...input }) => {
    const { id } = await addSupplier(ctx, input, idempotencyKey);
    return done(`/dashboard/vendors/suppliers/${id}`, 'Supplier added');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewSupplier() {
  const { idempotencyKey } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <VendorStep title="Add a supplier" back="/dashboard/vendors">
      <SupplierForm
        action="/dashboard/vendors/suppliers/new"
        idempotencyKey={idempotencyKey}
        lastResult={lastResult}
      />
    </VendorStep>
  );
}
