import { Form } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';

const OFFERS = [
  { plan: 'monthly', title: 'Monthly', price: '$5', per: 'per month', note: 'Cancel any month.' },
  {
    plan: 'yearly',
    title: 'Yearly',
    price: '$30',
    per: 'per year',
    note: '$2.50 per month: half the price.',
  },
] as const;

/** The two ways to pay for the same Premium. */
export function PlanChoice({ firstCharge }: { firstCharge: string }) {
  return (
    <section aria-labelledby="plan-choice" className="mt-6 grid gap-4">
      <h2 id="plan-choice">Choose Premium</h2>
      <p className="max-w-prose">{`Both unlock all of Premium; only the rhythm of payment differs. ${firstCharge}`}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {OFFERS.map(({ plan, title, price, per, note }) => (
          <article key={plan} className="sheet grid gap-3 p-5">
            <h3>{title}</h3>
            <p>
              <span className="plan-price">{price}</span>{' '}
              <span className="whitespace-nowrap text-soft">{per}</span>
            </p>
            <p className="text-soft">{note}</p>
            <Form method="post" action="/upgrade" reloadDocument>
              <input type="hidden" name="plan" value={plan} />
              <Button className="w-full" name="intent" value="checkout">
                {`Choose ${plan}`}
              </Button>
            </Form>
          </article>
        ))}
      </div>
    </section>
  );
}
