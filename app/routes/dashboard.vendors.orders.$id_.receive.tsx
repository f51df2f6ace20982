import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ReceiveForm, VendorStep } from '#app/features/vendors/index.ts';
import { receivedLineAt, receiveFormSchema } from '#app/domain/vendors/order-schema.ts';
import { plural } from '#app/domain/text/plural.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { componentValues, orderView } from '#app/features/vendors/pages.server.ts';
import { receiveOrder, getOrder } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Receive order – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) => {
  const order = await getOrder(ctx, params.id ?? '');
  const { id, lines } = orderView(order, user.timeZone);
  const values = componentValues(order.lines.map((line, place) => [String(place), line]));
  return { id, lines, values, supplier: order.supplierName };
});

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  const { lines } = await getOrder(ctx, id);
  return submit(request, receiveFormSchema, async (form) => {
    const received = lines.map((_, place) => receivedLineAt(form, place));
    const added = await receiveOrder(ctx, id, received);
    return done(`/dashboard/vendors/orders/${id}`, `Order received, ${plural(added, 'vial')} added`);
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ReceiveOrder() {
  const { id, lines, values, supplier } = useLoaderData<typeof loader>();
  const refused = sentForm(useActionData<typeof action>()?.lastResult);
  const back = `/dashboard/vendors/orders/${id}`;
  return (
    <VendorStep title={`Receive the order from ${supplier}`} back={back}>
      <ReceiveForm
        action={`${back}/receive`}
        lines={lines}
        values={refused?.values ?? values}
        errors={refused?.errors ?? {}}
        formErrors={refused?.formErrors ?? []}
      />
    </VendorStep>
  );
}
