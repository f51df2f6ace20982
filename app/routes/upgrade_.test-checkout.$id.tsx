import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PlanPage } from '#app/features/billing/plan-page.tsx';
import { TestCheckout } from '#app/features/billing/test-checkout.tsx';
import { formText, readForm } from '#app/platform/http/form.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { toPayments } from '#app/features/billing/payment-redirect.server.ts';
import { testCheckoutView } from '#app/features/billing/test-checkout-pages.server.ts';
import { getTestCheckout, payTestCheckout } from '#app/features/billing/test-checkout.server.ts';

export const meta: MetaFunction = () => [{ title: 'Test checkout – Vialbook' }];

export const loader = forUsers(({ params, ctx }) => testCheckoutView(ctx, params.id ?? ''));

export const action = forUsers(async ({ request, params, ctx }) => {
  const { id = '' } = params;
  await getTestCheckout(ctx, id);
  if (formText(await readForm(request), 'card') === 'declines')
    return data({ error: 'The card was declined. Nothing was charged.' }, { status: 400 });
  throw toPayments(await payTestCheckout(ctx, id));
});

export default function TestCheckoutPage() {
  const view = useLoaderData<typeof loader>();
  return (
    <PlanPage title="Test checkout">
      <TestCheckout {...view} error={useActionData<typeof action>()?.error} />
    </PlanPage>
  );
}
