import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { OrderDetail, VendorPage } from '#app/features/vendors/index.ts';
import { sentFile, submit, done } from '#app/platform/http/forms.server.ts';
import { documentFormSchema } from '#app/domain/forms/upload-schema.ts';
import { firstError } from '#app/ui/error-summary.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readOrderPage } from '#app/features/vendors/pages.server.ts';
import { addOrderDocument } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Order – Vialbook' }];

export const loader = forPremiumUsers(readOrderPage);

export const action = forPremiumUsers(({ request, ctx, params }) =>
  submit(request, documentFormSchema, async ({ paper }) => {
    const id = params.id ?? '';
    await addOrderDocument(ctx, id, await sentFile(paper));
    return done(`/dashboard/vendors/orders/${id}`, 'Document added');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

/** The page of the order, with the error of a document that was refused. */
export default function AddDocument() {
  const { title, order } = useLoaderData<typeof loader>();
  const error = firstError(useActionData<typeof action>()?.lastResult);
  return (
    <VendorPage tab="orders" title={title}>
      <OrderDetail order={order} documentError={error} />
    </VendorPage>
  );
}
