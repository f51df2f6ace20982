import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ProductForm, type ProductValues, VendorStep } from '#app/features/vendors/index.ts';
import { productFormSchema } from '#app/domain/vendors/vendor-schema.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { addProduct, listProductsOf, getSupplier } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Add a product – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params }) => {
  const { id, name } = await getSupplier(ctx, params.id ?? '');
  const [last] = await listProductsOf(ctx, id);
  return { id, name, currency: last?.currency ?? 'USD', idempotencyKey: crypto.randomUUID() };
});

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  return submit(request, productFormSchema, async ({ idempotencyKey, ...input }) => {
    await addProduct(ctx, id, input, idempotencyKey);
    return done(`/dashboard/vendors/suppliers/${id}`, 'Product added');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewProduct() {
  const { id, name, currency, idempotencyKey } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  const back = `/dashboard/vendors/suppliers/${id}`;
  const values: ProductValues = { name: '', form: 'lyophilised', mgPerVial: '', price: '', currency };
  return (
    <VendorStep title={`Add a product from ${name}`} back={back}>
      <ProductForm
        action={`${back}/products`}
        idempotencyKey={idempotencyKey}
        values={values}
        lastResult={lastResult}
      />
    </VendorStep>
  );
}
