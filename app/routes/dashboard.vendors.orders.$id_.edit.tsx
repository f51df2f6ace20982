import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { OrderForm, VendorStep } from '#app/features/vendors/index.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { controlTexts } from '#app/domain/forms/fields.ts';
import { orderDetailsOf, orderFormSchema } from '#app/domain/vendors/order-schema.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { componentValues, orderOf, productLine } from '#app/features/vendors/pages.server.ts';
import { getOrder, updateOrder, listProductsOf } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Edit order – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) => {
  const order = await getOrder(ctx, params.id ?? '');
  const products = await listProductsOf(ctx, order.supplierId);
  const values: Record<string, string> = controlTexts(orderDetailsOf(order));
  for (const { id, name, mgPerVial } of products) {
    const line = order.lines.find((row) => row.name === name && row.mgPerVial === mgPerVial);
    if (line)
      Object.assign(values, componentValues([[id, line]]), { [`quantity.${id}`]: String(line.quantity) });
  }
  const choices = products.map((row) => productLine(row, user.timeZone));
  const supplier = { id: order.supplierId, name: order.supplierName };
  return { id: order.id, supplier, choices, values };
});

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  const { supplierId } = await getOrder(ctx, id);
  const products = await listProductsOf(ctx, supplierId);
  return submit(request, orderFormSchema, async (form) => {
    await updateOrder(ctx, id, orderOf(form, supplierId, products));
    return done(`/dashboard/vendors/orders/${id}`, 'Order saved');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EditOrder() {
  const { id, supplier, choices, values } = useLoaderData<typeof loader>();
  const refused = sentForm(useActionData<typeof action>()?.lastResult);
  const back = `/dashboard/vendors/orders/${id}`;
  return (
    <VendorStep title="Edit order" back={back}>
      <OrderForm
        action={`${back}/edit`}
        supplier={supplier}
        choices={choices}
        values={refused?.values ?? values}
        refused={refused}
      />
    </VendorStep>
  );
}
