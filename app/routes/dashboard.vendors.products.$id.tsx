import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { ProductForm, VendorStep } from '#app/features/vendors/index.ts';
import { productSchema } from '#app/domain/vendors/vendor-schema.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { getProduct, updateProduct } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Edit product – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params }) => {
  const { id, supplierId, name, form, mgPerVial, price, currency } = await getProduct(ctx, params.id ?? '');
  return { id, supplierId, values: { name, form, mgPerVial, price, currency } };
});

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  const { supplierId } = await getProduct(ctx, id);
  return submit(request, productSchema, async (input) => {
    await updateProduct(ctx, id, input);
    return done(`/dashboard/vendors/suppliers/${supplierId}`, 'Product saved');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EditProduct() {
  const { id, supplierId, values } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  const path = `/dashboard/vendors/products/${id}`;
  return (
    <VendorStep title="Edit product" back={`/dashboard/vendors/suppliers/${supplierId}`}>
      <ProductForm action={path} values={values} lastResult={lastResult} />
      <p className="border-t border-line pt-4">
        <LinkButton to={`${path}/delete`} variant="danger">
          Delete product
        </LinkButton>
      </p>
    </VendorStep>
  );
}
