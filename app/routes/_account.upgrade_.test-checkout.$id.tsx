import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PlanPage, TestCheckout } from '#app/features/billing/index.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { testCardSchema } from '#app/domain/billing/billing-schema.ts';
import { firstError } from '#app/ui/error-summary.tsx';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getTestCheckout, payTestCheckout } from '#app/features/billing/index.server.ts';
import { redirectToPayment, testCheckoutView } from '#app/features/billing/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Test checkout – Vialbook' }];

export const loader = forUsers(({ params, ctx }) => testCheckoutView(ctx, params.id ?? ''));

export const action = forUsers(async ({ request, params, ctx }) => {
  const { id = '' } = params;
  await getTestCheckout(ctx, id);
  return submit(request, testCardSchema, async ({ card }, reply) => {
    if (card === 'works') return redirectToPayment(await payTestCheckout(ctx, id));
    const lastResult = reply({ formErrors: ['The card was declined. Nothing was charged.'] });
    return data({ lastResult }, { status: 400 });
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function TestCheckoutPage() {
  const view = useLoaderData<typeof loader>();
  return (
    <PlanPage title="Test checkout">
      <TestCheckout {...view} error={firstError(useActionData<typeof action>()?.lastResult)} />
    </PlanPage>
  );
}
