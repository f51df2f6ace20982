import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { SupplierForm, VendorStep } from '#app/features/vendors/index.ts';
import { controlTexts } from '#app/domain/forms/fields.ts';
import { supplierDetailsOf, supplierSchema } from '#app/domain/vendors/vendor-schema.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { getSupplier, updateSupplier } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Edit supplier – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params }) => {
  const supplier = await getSupplier(ctx, params.id ?? '');
  return {
    id: supplier.id,
    values: { name: supplier.name, ...controlTexts(supplierDetailsOf(supplier)) },
  };
});

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  return submit(request, supplierSchema, async (input) => {
    await updateSupplier(ctx, id, input);
    return done(`/dashboard/vendors/suppliers/${id}`, 'Supplier saved');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EditSupplier() {
  const { id, values } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  const back = `/dashboard/vendors/suppliers/${id}`;
  return (
    <VendorStep title="Edit supplier" back={back}>
      <SupplierForm action={`${back}/edit`} values={values} lastResult={lastResult} />
    </VendorStep>
  );
}
