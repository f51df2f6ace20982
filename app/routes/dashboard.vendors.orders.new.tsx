import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { OrderForm, SupplierChoice, VendorStep } from '#app/features/vendors/index.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { orderFormSchema } from '#app/domain/vendors/order-schema.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { orderOf, productLine } from '#app/features/vendors/pages.server.ts';
import { addOrder, listProductsOf, getSupplier, listSuppliers } from '#app/features/vendors/index.server.ts';

const PATH = '/dashboard/vendors/orders/new';

export const meta: MetaFunction = () => [{ title: 'New order – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, url }) => {
  const supplierId = url.searchParams.get('supplier');
  const suppliers = (await listSuppliers(ctx)).map(({ id, name }) => ({ id, name }));
  const chosen = supplierId === null && suppliers.length === 1 ? suppliers[0]?.id : supplierId;
  if (!chosen) return { suppliers, supplier: null, choices: [], idempotencyKey: '', values: {} };
  const { id, name } = await getSupplier(ctx, chosen);
  const products = await listProductsOf(ctx, id);
  const choices = products.map((row) => productLine(row, user.timeZone));
  // A suggestion links here with its product: start with one vial of it.
  const product = products.find((row) => row.id === url.searchParams.get('product'));
  const values: Record<string, string> = product ? { [`quantity.${product.id}`]: '1' } : {};
  return { suppliers, supplier: { id, name }, choices, idempotencyKey: crypto.randomUUID(), values };
});

export const action = forPremiumUsers(async ({ request, ctx, url }) => {
  const supplierId = url.searchParams.get('supplier') ?? '';
  const products = await listProductsOf(ctx, supplierId);
  return submit(request, orderFormSchema, async (form) => {
    const { id } = await addOrder(ctx, orderOf(form, supplierId, products), form.idempotencyKey);
    return done(`/dashboard/vendors/orders/${id}`, 'Order saved');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewOrder() {
  const { suppliers, supplier, choices, idempotencyKey, values } = useLoaderData<typeof loader>();
  const refused = sentForm(useActionData<typeof action>()?.lastResult);
  return (
    <VendorStep title="New order" back="/dashboard/vendors/orders">
      {supplier ? (
        <OrderForm
          action={`${PATH}?supplier=${supplier.id}`}
          idempotencyKey={idempotencyKey}
          supplier={supplier}
          choices={choices}
          values={refused?.values ?? values}
          refused={refused}
        />
      ) : (
        <SupplierChoice suppliers={suppliers} />
      )}
    </VendorStep>
  );
}
